/** JSON texts of any length are read as `JSON.parse` reads them, portion by portion, with the literals of numbers. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { parseJson, parsing } from '../../src/json.ts'
import { partsOf } from '../../src/json-members.ts'
import { inTurns } from '../../src/turns.ts'
import { refused } from './refused.ts'

const MALFORMED = 'MalformedPayload'
/** Longer than half of a portion, so that whatever holds two of them is read item by item. */
const LONG = 'x'.repeat(40_000)

const portionsOf = (text: string): number => [...parsing(text, 100)].length

/** Arbitrary JSON texts, with long strings, blanks and keys of every kind in them. */
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(
      'null',
      'true',
      '-0',
      '5.0',
      '1e2',
      '12345678901234567890',
      '""',
      '"\\u00e9\\"]"',
      '[]',
      '{}',
      '[ ]',
    ),
    fc.constantFrom(JSON.stringify(LONG), JSON.stringify(`[{"${LONG}\\`), `"\\ud83d\\ude00${LONG}"`),
    fc.array(tie('text')).map((items) => `[${items.join(' ,\n')}]`),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', '0', 'é', '\\u0061'), tie('text')))
      .map((members) => `{ ${members.map(([key, value]) => `"${key}" : ${value}`).join(',')}\t}`),
  ),
}))

const outcome = (read: () => unknown): unknown => {
  try {
    return { value: read() }
  } catch {
    return 'refused'
  }
}

describe('long texts', () => {
  test('have the value that JSON.parse finds', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(parseJson(text, 100).value).toEqual(JSON.parse(text))
      }),
    )
  })

  test('are refused where JSON.parse refuses them', () => {
    const broken = fc
      .tuple(
        jsonText,
        fc.nat(),
        fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', ' ', '1'),
        fc.boolean(),
      )
      .map(([text, place, put, instead]) => {
        const marks = [...text.matchAll(/[[\]{},:"]/g)].map(({ index }) => index)
        const at = marks[place % Math.max(marks.length, 1)] ?? 0
        return text.slice(0, at) + put + text.slice(instead ? at + 1 : at)
      })
    fc.assert(
      fc.property(broken, (text) => {
        expect(outcome(() => parseJson(text, 100).value)).toEqual(outcome((): unknown => JSON.parse(text)))
      }),
      { numRuns: 200 },
    )
  })

  const long = JSON.stringify(LONG)
  const list = `[${long},${long}]`
  test.each([
    ['a comma at the end of a list', `[${list},]`],
    ['a comma at the end of a long list', `[${long},${long},]`],
    ['a comma at the beginning', `[,${list}]`],
    ['two commas after a long item', `[${list},,1]`],
    ['no comma after a long item', `[${list} 1]`],
    ['no comma between two long items', `[${list} ${list}]`],
    ['something before a long item', `[1 ${list}]`],
    ['a key in a list', `["a":${list}]`],
    ['no key in an object', `{${list}}`],
    ['two keys of one member', `{"a":"b":${list}}`],
    ['the wrong end of a list', `[${list}}`],
    ['the wrong end of an object', `{"a":${list}]`],
    ['an end too many', `${list}]`],
    ['an end too few', `[${list}`],
    ['two values', `${list} ${list}`],
    ['two values and a comma', `${list},1`],
    ['a string without an end', `[${list},"`],
  ])('are refused for %s', (_what, text) => {
    expect(outcome((): unknown => JSON.parse(text))).toBe('refused')
    expect(refused(() => parseJson(text, 100))?.[0]).toBe(MALFORMED)
  })

  test('may be empty lists and objects with many blanks in them', () => {
    const blanks = ' \n'.repeat(80_000)
    expect(parseJson(`[${blanks}]`, 1).value).toEqual([])
    expect(parseJson(`[1,{${blanks}}${blanks},2]`, 2).value).toEqual([1, {}, 2])
  })

  test.each([
    ['"\\ud800"', `[${list},"\\ud800"]`],
    ['a key', `{"\\ud800":${list}}`],
    ['the key of a long item', `{"a":1,"\\uDC00":[${list}]}`],
  ])('are refused for a lone surrogate: %s', (_what, text) => {
    expect(refused(() => parseJson(text, 100))).toEqual([
      MALFORMED,
      400,
      { message: expect.stringMatching(/^a string holds a lone surrogate: /) as unknown },
    ])
  })

  test('are read in portions, whose number grows with the length', () => {
    expect(portionsOf(`[[${'1,'.repeat(1000)}1]]`)).toBeLessThan(3)
    const [once, twice] = [100_000, 200_000].map((items) => portionsOf(`[${'[],'.repeat(items)}[]]`))
    expect(once).toBeGreaterThan(3)
    expect(twice).toBeGreaterThan(7)
    expect(portionsOf(`${'['.repeat(100)}${'1,'.repeat(50_000)}1${']'.repeat(100)}`)).toBeLessThan(220)
  })

  test('let others go first between portions', async () => {
    const order: string[] = []
    const read = inTurns(parsing(`[${'{"a":5.0},'.repeat(100_000)}null]`, 2)).then(() => order.push('read'))
    setImmediate(() => order.push('other'))
    await read
    expect(order).toEqual(['other', 'read'])
  })
})

describe('objects of many members', () => {
  const members = (from: number, to: number, value: string): string =>
    Array.from({ length: to - from }, (_, i) => `"k${from + i}":${value}`).join(',')

  test('come in parts, which together are their members in order', () => {
    const { value } = parseJson(`{"o":{${members(0, 30_000, '[]')}}}`, 3)
    const parts = partsOf((value as { o: object }).o)
    expect(parts.length).toBeGreaterThan(5)
    const keys = parts.flatMap((part) => Object.keys(part))
    expect(keys).toEqual(Array.from({ length: 30_000 }, (_, i) => `k${i}`))
  })

  test('have the last of duplicate keys once, however far apart they are, with its literal', () => {
    const text = `{${members(0, 20_000, '1.0')},${members(10_000, 25_000, '2.0')},"__proto__":3.0}`
    const { value, numberText } = parseJson(text, 1)
    const parts = partsOf(value as object)
    const entries = parts.flatMap((part) => Object.entries(part))
    expect(entries).toHaveLength(25_001)
    expect(Object.fromEntries(entries)).toMatchObject({ k0: 1, k9999: 1, k10000: 2, k24999: 2 })
    const literals = parts.flatMap((part) => Object.keys(part).map((key) => numberText(part, key)))
    expect(literals.filter((literal) => literal === '1.0')).toHaveLength(10_000)
    expect(literals.filter((literal) => literal === '2.0')).toHaveLength(15_000)
    expect(literals.at(-1)).toBe('3.0')
  })

  test('have the fields that are looked for in their first part', () => {
    const work = parsing(`{${members(0, 30_000, '1')},"end":2}`, 1, { fields: new Set(['end']) })
    let step = work.next()
    while (step.done !== true) step = work.next()
    expect(step.value.value).toMatchObject({ k0: 1, end: 2 })
  })
})

test('those who work in portions take turns', async () => {
  const order: string[] = []
  function* work(name: string): Generator<undefined, string> {
    for (let portion = 0; portion < 3; portion++) {
      const end = performance.now() + 12
      while (performance.now() < end);
      order.push(name)
      yield
    }
    return name
  }
  expect(await Promise.all([inTurns(work('a')), inTurns(work('b'))])).toEqual(['a', 'b'])
  expect(order).toEqual(['a', 'b', 'a', 'b', 'a', 'b'])
})

describe('the literal of a number', () => {
  test('is found by its object and key, unless it is as JavaScript writes it', () => {
    const parsed = parseJson('{"a":{"value":5.0},"b":{"value":5},"c":{"value":-0},"d":{"value":"5.0"}}', 2)
    const value = parsed.value as Record<'a' | 'b' | 'c' | 'd', object>
    expect(parsed.numberText(value.a, 'value')).toBe('5.0')
    expect(parsed.numberText(value.b, 'value') ?? '5').toBe('5')
    expect(parsed.numberText(value.c, 'value')).toBe('-0')
    expect(parsed.numberText(value.d, 'value')).toBeUndefined()
    expect(parsed.source).toBeUndefined()
    expect(parseJson(' 1e2\n', 100).source).toBe('1e2')
  })

  test('is kept wherever JavaScript would write the number in another way', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,19})$/)
    const literals = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.stringMatching(/^(?:|\.0{0,8}\d{1,19})$/),
        fc.constantFrom('', '', '', 'e5', 'E-7', 'e+0'),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(literals, { minLength: 1 }), fc.constantFrom('', ' '), (texts, blank) => {
        const holder = `{${texts.map((text, i) => `"${String(i)}":${blank}${text}`).join(`,${blank}`)}}`
        const { value, numberText } = parseJson(holder, 1)
        const numbers = Object.entries(value as Record<string, number>)
        expect(numbers.map(([key, number]) => numberText(value as object, key) ?? String(number))).toEqual(
          texts,
        )
      }),
      { numRuns: 1_000 },
    )
  })

  test('is that of the last of duplicate keys, however far apart they are', () => {
    const long = `{"long":"${LONG}","a":5.0,"b":1,"again":"${LONG}","a":7,"b":2.0,"end":["${LONG}","${LONG}"]}`
    const { value, numberText } = parseJson(long, 2)
    expect(value).toMatchObject({ a: 7, b: 2 })
    expect(numberText(value as object, 'a') ?? '7').toBe('7')
    expect(numberText(value as object, 'b')).toBe('2.0')
  })
})

test.each([
  ['[[]]', 2],
  ['{"a":[{"b":1}]}', 3],
  ['["[[[[", "\\"[["]', 1],
  [`[["${LONG}","${LONG}",[]]]`, 3],
])('arrays and objects count towards the depth: %#', (text, depth) => {
  expect(parseJson(text, depth).value).toEqual(JSON.parse(text))
  expect(refused(() => parseJson(text, depth - 1))?.[0]).toBe(MALFORMED)
})
