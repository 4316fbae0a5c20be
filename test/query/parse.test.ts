/** What the query parser accepts, what it refuses, and where it reports an error. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import nearley from 'nearley'
import grammar from '../../generated/query-grammar.ts'
import { ServiceError } from '../../src/model/errors.ts'
import { aboutOf, pathsOf, sourceText } from '../../src/query/ast.ts'
import { QUERY_LIMITS, type QueryLimits } from '../../src/query/lexer.ts'
import { parseQuery, parseQueryAfter } from '../../src/query/parse.ts'

type Tree = Record<string, unknown>

const has = (path: string): Tree => ({ kind: 'has', path })
const compare = (path: string, op: string, operand: Tree): Tree => ({ kind: 'compare', path, op, operand })
const matches = (path: string, text: string): Tree => ({ kind: 'matches', path, text })
const contains = (path: string, text: string): Tree => ({ kind: 'contains', path, text })
const or = (left: Tree, right: Tree): Tree => ({ kind: 'or', left, right })
const and = (left: Tree, right: Tree): Tree => ({ kind: 'and', left, right })
const except = (left: Tree, right: Tree): Tree => ({ kind: 'except', left, right })
const int = (value: bigint): Tree => ({ type: 'int', value })
const float = (value: number): Tree => ({ type: 'float', value })
const string = (value: string): Tree => ({ type: 'string', value })
const boolean = (value: boolean): Tree => ({ type: 'boolean', value })
const nothing: Tree = { type: 'null' }

/** A tree without offsets, to compare with one written by hand. */
function bare(node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return node
  const kept = Object.entries(node).filter(([key]) => key !== 'start' && key !== 'end')
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value)]))
}

const parses = (text: string): number =>
  new nearley.Parser(nearley.Grammar.fromCompiled(grammar)).feed(text).results.length

function refusal(text: string): ServiceError {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof ServiceError) return error as ServiceError
    throw error
  }
  throw new Error(`accepted: ${text}`)
}

const ID = '0190a7e2-1d5c-7f3a-8b6e-2c9d4f1e0a7b'
const [a, b, c, d] = [has('u/a'), has('u/b'), has('u/c'), has('u/d')]

const READ: [text: string, tree: Tree][] = [
  // conditions
  ['has alice/rating', has('alice/rating')],
  ['alice/rating = 5', compare('alice/rating', '=', int(5n))],
  ['alice/rating != 5', compare('alice/rating', '!=', int(5n))],
  ['alice/rating < 5', compare('alice/rating', '<', int(5n))],
  ['alice/rating <= 5', compare('alice/rating', '<=', int(5n))],
  ['alice/rating > 5', compare('alice/rating', '>', int(5n))],
  ['alice/rating >= 5', compare('alice/rating', '>=', int(5n))],
  ['alice/when >= "2026-01-01"', compare('alice/when', '>=', string('2026-01-01'))],
  ['alice/note matches "green tea"', matches('alice/note', 'green tea')],
  ['alice/note contains "green tea"', contains('alice/note', 'green tea')],

  // precedence and association
  ['has u/a or has u/b or has u/c', or(or(a, b), c)],
  ['has u/a and has u/b and has u/c', and(and(a, b), c)],
  ['has u/a except has u/b except has u/c', except(except(a, b), c)],
  ['has u/a or has u/b and has u/c', or(a, and(b, c))],
  ['has u/a and has u/b or has u/c', or(and(a, b), c)],
  ['has u/a and has u/b except has u/c', and(a, except(b, c))],
  ['has u/a except has u/b and has u/c', and(except(a, b), c)],
  ['has u/a or has u/b and has u/c except has u/d', or(a, and(b, except(c, d)))],
  ['(has u/a or has u/b) and has u/c', and(or(a, b), c)],
  ['has u/a except (has u/b except has u/c)', except(a, except(b, c))],
  ['((has u/a))', a],

  // values
  ['u/a = true', compare('u/a', '=', boolean(true))],
  ['u/a != FALSE', compare('u/a', '!=', boolean(false))],
  ['u/a = Null', compare('u/a', '=', nothing)],
  ['u/a = -5', compare('u/a', '=', int(-5n))],
  ['u/a = 007', compare('u/a', '=', int(7n))],
  ['u/a = 9223372036854775807', compare('u/a', '=', int(9223372036854775807n))],
  ['u/a = -9223372036854775808', compare('u/a', '=', int(-9223372036854775808n))],
  ['u/a = 9007199254740993', compare('u/a', '=', int(9007199254740993n))],
  ['u/a = 5.0', compare('u/a', '=', float(5))],
  ['u/a = 05.50', compare('u/a', '=', float(5.5))],
  ['u/a = .5', compare('u/a', '=', float(0.5))],
  ['u/a = -.5', compare('u/a', '=', float(-0.5))],
  ['u/a = 5e3', compare('u/a', '=', float(5000))],
  ['u/a = 5E+3', compare('u/a', '=', float(5000))],
  ['u/a = 25.0e-1', compare('u/a', '=', float(2.5))],
  ['u/a = 1e-999', compare('u/a', '=', float(0))],
  ['u/a = 1.7976931348623157e308', compare('u/a', '=', float(Number.MAX_VALUE))],

  // strings
  ['u/a = ""', compare('u/a', '=', string(''))],
  [String.raw`u/a = "say \"hi\""`, compare('u/a', '=', string('say "hi"'))],
  [String.raw`u/a = "a\\b"`, compare('u/a', '=', string(String.raw`a\b`))],
  [String.raw`u/a = "a\\"`, compare('u/a', '=', string('a\\'))],
  [String.raw`u/a = "a\\\""`, compare('u/a', '=', string(String.raw`a\"`))],
  [String.raw`u/a = "C:\new \u0041"`, compare('u/a', '=', string(String.raw`C:\new \u0041`))],
  ['u/a = "two\r\nlines\\\n"', compare('u/a', '=', string('two\r\nlines\\\n'))],
  ['u/a = "𝒳 and (has x/y) or \'z\'"', compare('u/a', '=', string("𝒳 and (has x/y) or 'z'"))],

  // keywords and paths
  ['HAS u/a Or hAs u/b', or(a, b)],
  ['has u/a AND has u/b ExcepT has u/c', and(a, except(b, c))],
  ['u/a MATCHES "x"', matches('u/a', 'x')],
  ['u/a Contains "x"', contains('u/a', 'x')],
  ['has has/x', has('has/x')],
  ['has/x = 1', compare('has/x', '=', int(1n))],
  ['Or/and = 5 or and/or matches "x"', or(compare('or/and', '=', int(5n)), matches('and/or', 'x'))],
  ['has null/true', has('null/true')],
  ['has Alice/Rating', has('alice/Rating')],
  ['has ÉMILE/Été/x', has('émile/Été/x')],
  ['has u/a.b:c_d-e/f', has('u/a.b:c_d-e/f')],
  ['has Ⅷ/१२/e\u0301𝒳', has('ⅷ/१२/e\u0301𝒳')],
  ['has -/.', has('-/.')],
  [`has u/${'x'.repeat(500)}`, has(`u/${'x'.repeat(500)}`)],

  // adjacent tokens
  ['u/a=5', compare('u/a', '=', int(5n))],
  ['u/a>-5', compare('u/a', '>', int(-5n))],
  ['u/a<.5', compare('u/a', '<', float(0.5))],
  ['x/y-5=3', compare('x/y-5', '=', int(3n))],
  ['1e5/x=1e5', compare('1e5/x', '=', float(1e5))],
  ['-5/5=-5', compare('-5/5', '=', int(-5n))],
  ['u/a="x"and has u/b', and(compare('u/a', '=', string('x')), b)],
  ['(has u/a)and(has u/b)', and(a, b)],
  ['(u/a=5)', compare('u/a', '=', int(5n))],
  ['\t\r\n has\nu/a\r\n', a],

  // service/id and service/about
  [`service/id = "${ID}"`, { kind: 'id', id: ID }],
  [`SERVICE/id="${ID.toUpperCase()}"`, { kind: 'id', id: ID }],
  [`has u/a or service/id = "${ID}"`, or(a, { kind: 'id', id: ID })],
  ['service/about = "x"', compare('service/about', '=', string('x'))],
  ['service/about matches "x"', matches('service/about', 'x')],
  ['has service/About', has('service/About')],
]

describe('a query', () => {
  it.each(READ)('is read: %s', (text, tree) => {
    expect(bare(parseQuery(text).root)).toEqual(tree)
    expect(parses(text)).toBe(1)
  })
})

const CONDITION = 'a tag path, has or ('
const OPERATOR = '=, !=, <, <=, >, >=, matches or contains'
const VALUE = 'a value (a string, a number, true, false or null)'
const END = 'the end of the query'
const NEXT = `and, or, except or ${END}`
const noValue = (word: string): string =>
  `"${word}" is neither a number nor a string: put strings in double quotes`
const noTag = (word: string): string =>
  `"${word}" is not a tag path: a tag path has at least two names, such as alice/rating`
const noJoint = (word: string): string => `"${word}" is not a keyword: join conditions with and, or, except`
const noPath = (path: string): string => `"${path}" is not a tag path: one of its names is empty`
const notIn = (kind: string, text: string, instead: string): string => `"${text}" is not ${kind}: ${instead}`
const noUuid = 'service/id can only be compared with = to a UUID in double quotes'

const REFUSED: [text: string, line: number, column: number, message: string][] = [
  // beyond the grammar
  ['', 1, 1, `expected ${CONDITION}, found ${END}`],
  ['  \n ', 2, 2, `expected ${CONDITION}, found ${END}`],
  ['alice/rating=', 1, 14, `expected ${VALUE}, found ${END}`],
  ['alice/rating = and', 1, 16, `expected ${VALUE}, found "and"`],
  ['u/a = u/b', 1, 7, `expected ${VALUE}, found "u/b"`],
  ['u/a', 1, 4, `expected ${OPERATOR}, found ${END}`],
  ['u/a "x"', 1, 5, `expected ${OPERATOR}, found the string "x"`],
  ['u/a < true', 1, 7, 'expected a string or a number, found "true"'],
  ['u/a <= FALSE', 1, 8, 'expected a string or a number, found "FALSE"'],
  ['u/a > null', 1, 7, 'expected a string or a number, found "null"'],
  ['u/a >= null', 1, 8, 'expected a string or a number, found "null"'],
  ['u/a matches 5', 1, 13, 'expected a string, found "5"'],
  ['u/a contains true', 1, 14, 'expected a string, found "true"'],
  ['has', 1, 4, `expected a tag path, found ${END}`],
  ['has (u/a)', 1, 5, 'expected a tag path, found "("'],
  ['has u/a has u/b', 1, 9, `expected ${NEXT}, found "has"`],
  ['has u/a and', 1, 12, `expected ${CONDITION}, found ${END}`],
  ['has u/a and or has u/b', 1, 13, `expected ${CONDITION}, found "or"`],
  ['(has u/a', 1, 9, `expected and, or, except or ), found ${END}`],
  ['has u/a)', 1, 8, `expected ${NEXT}, found ")"`],
  ['()', 1, 2, `expected ${CONDITION}, found ")"`],
  ['"x" = u/a', 1, 1, `expected ${CONDITION}, found the string "x"`],

  // not tokens
  ['rating = 5', 1, 1, noTag('rating')],
  ['has rating', 1, 5, noTag('rating')],
  ['u/a = yes', 1, 7, noValue('yes')],
  ['u/a = 5.', 1, 7, noValue('5.')],
  ['u/a=5and u/b=6', 1, 5, noValue('5and')],
  ['u/a = 5-3', 1, 7, noValue('5-3')],
  ['u/a = 1e', 1, 7, noValue('1e')],
  ['u/a = 1e+5x', 1, 7, noValue('1e')],
  ['u/a = --5', 1, 7, noValue('--5')],
  ['u/a = 0x10', 1, 7, noValue('0x10')],
  ['u/a = ५', 1, 7, noValue('५')],
  ['has a//b', 1, 5, noPath('a//b')],
  ['has a/', 1, 5, noPath('a/')],
  ['has /a', 1, 5, noPath('/a')],
  ['has /', 1, 5, noPath('/')],
  ['u/a = +5', 1, 7, 'the character "+" (U+002B) has no meaning here'],
  ['u/a ! 5', 1, 5, 'the character "!" (U+0021) has no meaning here'],
  ['u/a\u00a0= 5', 1, 4, 'the character "\u00a0" (U+00A0) has no meaning here'],
  ['has u/a\0', 1, 8, 'the character "\0" (U+0000) has no meaning here'],
  ['has u/😀', 1, 5, noPath('u/')],
  ['😀', 1, 1, 'the character "😀" (U+1F600) has no meaning here'],
  ["u/a = 'x'", 1, 7, `found "'": put strings in straight double quotes`],
  ['u/a = “x”', 1, 7, 'found "“": put strings in straight double quotes'],
  ['u/a = "x', 1, 7, 'the string that begins here has no closing quote'],
  ['u/a = "x\\"', 1, 7, 'the string that begins here has no closing quote'],

  // words and operators of other languages
  ['u/a == 5', 1, 5, notIn('an operator', '==', 'use = for equality')],
  ['u/a===5', 1, 4, notIn('an operator', '===', 'use = for equality')],
  ['u/a <> 5', 1, 5, notIn('an operator', '<>', 'use != for inequality')],
  ['u/a !== 5', 1, 5, notIn('an operator', '!==', 'use != for inequality')],
  ['u/a => 5', 1, 5, notIn('an operator', '=>', 'use >=')],
  ['has u/a && has u/b', 1, 9, notIn('an operator', '&&', 'use and')],
  ['has u/a || has u/b', 1, 9, notIn('an operator', '||', 'use or')],
  ['u/a LIKE "x%"', 1, 5, notIn('a keyword', 'LIKE', 'use matches "word" or matches "beginning*"')],
  ['not has u/a', 1, 1, notIn('a keyword', 'not', 'use except, as in has alice/read except has alice/lent')],
  ['u/a in (1)', 1, 5, notIn('a keyword', 'in', 'compare with each value and join the comparisons with or')],
  [
    'u/a is null',
    1,
    5,
    notIn('a keyword', 'is', 'use = null for a null value, and except has for none at all'),
  ],
  ['u/a = in', 1, 7, noValue('in')],
  ['u/a matches word', 1, 13, noValue('word')],
  ['u/a = constructor', 1, 7, noValue('constructor')],
  [
    'u/a constructor',
    1,
    5,
    notIn('an operator', 'constructor', 'use =, !=, <, <=, >, >=, matches or contains'),
  ],
  ['has u/a too', 1, 9, noJoint('too')],
  ['has u/a or rating', 1, 12, noTag('rating')],

  // numbers out of range
  ['u/a = 9223372036854775808', 1, 7, 'the number "9223372036854775808" is out of range'],
  ['u/a = -9223372036854775809', 1, 7, 'the number "-9223372036854775809" is out of range'],
  ['u/a > 1e309', 1, 7, 'the number "1e309" is out of range'],
  ['u/a = -1.8e308', 1, 7, 'the number "-1.8e308" is out of range'],
  [`u/a = ${'9'.repeat(30_000)}`, 1, 7, `the number "${'9'.repeat(40)}..." is out of range`],

  // service/id
  ['has service/id', 1, 1, noUuid],
  [`service/id != "${ID}"`, 1, 1, noUuid],
  [`has u/a or service/id < "${ID}"`, 1, 12, noUuid],
  ['service/id = "x"', 1, 1, noUuid],
  [`service/id = "{${ID}}"`, 1, 1, noUuid],
  [`service/id = "urn:uuid:${ID}"`, 1, 1, noUuid],
  ['service/id = 5', 1, 1, noUuid],
  [`service/id matches "${ID}"`, 1, 1, noUuid],
  [`Service/id contains "${ID}"`, 1, 1, noUuid],
  ['has service/about or has service/id', 1, 22, noUuid],

  // lines and columns
  ['has u/a\nand has', 2, 8, `expected a tag path, found ${END}`],
  ['has u/a\r\nand\rhas', 3, 4, `expected a tag path, found ${END}`],
  ['u/a = "1\n2\n3" x', 3, 4, noJoint('x')],
  ['u/a = "😀𝒳" rating', 1, 12, noJoint('rating')],
  ['has 𝒳/😀', 1, 5, noPath('𝒳/')],
  ['has u/a\n  and 𝒳/y 𝒳/z', 2, 11, `expected ${OPERATOR}, found "𝒳/z"`],
]

describe('a text that is not a query', () => {
  it.each(REFUSED)('is refused: %s', (text, line, column, message) => {
    const error = refusal(text)
    expect(error.errorClass).toBe('TParseError')
    expect(error.facts).toEqual({ query: text, message: `line ${line}, column ${column}: ${message}` })
  })
})

describe('a query that would match too much', () => {
  it.each([
    'has service/about',
    'HAS Service/about',
    'has u/a and (has u/b except has service/about)',
    'service/about matches ""',
    'service/about matches "* ?! *"',
    'service/about matches "👩‍💻"',
    'service/about = "x" or service/about matches " "',
  ])('is refused: %s', (text) => {
    const error = refusal(text)
    expect(error.errorClass).toBe('TBadRequest')
    expect(error.facts.message).toContain('service/about')
  })

  it.each(['u/a matches ""', 'service/about matches "a*"', 'service/about = ""', 'has service/tags/path'])(
    'is not: %s',
    (text) => {
      expect(() => parseQuery(text)).not.toThrow()
    },
  )
})

describe('the parser', () => {
  const nested = (depth: number): string => `${'('.repeat(depth)}has u/a${')'.repeat(depth)}`
  const chain = (conditions: number): string => Array(conditions).fill('has u/a').join(' and ')
  const long = (bytes: number): string => `u/a = "${'é'.repeat((bytes - 8) / 2)}"`

  it('limits how many parentheses are open at once', () => {
    expect(bare(parseQuery(nested(100)).root)).toEqual(a)
    expect(pathsOf(parseQuery(`${nested(100)} or ${nested(100)}`))).toEqual(['u/a'])
    expect(refusal(nested(101)).facts.message).toBe(
      'line 1, column 101: parentheses are nested more than 100 deep',
    )
  })

  it('limits the number of operators: has, comparisons and combinations', () => {
    expect(pathsOf(parseQuery(chain(500)))).toEqual(['u/a'])
    const message = 'the query has more than 1000 operators'
    expect(refusal(chain(501)).facts.message).toBe(`line 1, column 6001: ${message}`)
    for (const condition of [
      'u/a = 1',
      'u/a > 1',
      'u/a matches "x"',
      'u/a contains "x"',
      'u/a = 1 except u/a < 2',
    ]) {
      expect(refusal(`${chain(500)} or ${condition}`).facts.message).toContain(message)
    }
  })

  it('limits bytes, not characters', () => {
    expect(bare(parseQuery(long(32_768)).root)).toEqual(compare('u/a', '=', string('é'.repeat(16_380))))
    expect(refusal(long(32_770)).facts.message).toBe('line 1, column 1: the query is longer than 32768 bytes')
  })

  it.each([
    ['a fault deep inside parentheses', `${'('.repeat(100)}has u/a has`],
    ['a long unclosed string', `u/a = "${'x'.repeat(32_000)}`],
    ['a long unknown word', 'x'.repeat(32_000)],
    ['a long string in the wrong place', `"${'x'.repeat(32_000)}"`],
    ['a long path in the wrong place', `has u/a u/${'x'.repeat(32_000)}`],
    ['a thousand open ends', `${'has u/a and '.repeat(499)}has u/a or`],
  ])('keeps the message short: %s', (_what, text) => {
    expect(refusal(text).facts.message?.length).toBeLessThan(200)
  })
})

describe('a parsed query', () => {
  it('lists the paths in it, each once, in order', () => {
    const query = parseQuery(
      `has u/b or (U/a = 1 except u/c matches "x") and service/id = "${ID}" or u/b contains "y"`,
    )
    expect(pathsOf(query)).toEqual(['u/b', 'u/a', 'u/c'])
  })

  it('gives the text of each part, with its parentheses', () => {
    const text = ' (u/a  = 5 or has u/𝒳)\nexcept u/b matches "x y" '
    const query = parseQuery(text)
    const { root } = query
    if (root.kind !== 'except' || root.left.kind !== 'or' || root.left.left.kind !== 'compare')
      throw new Error()
    expect(query.text).toBe(text)
    expect(sourceText(root, query)).toBe(text.trim())
    expect(sourceText(root.left, query)).toBe('(u/a  = 5 or has u/𝒳)')
    expect(sourceText(root.left.left, query)).toBe('u/a  = 5')
    expect(sourceText(root.left.left.operand, query)).toBe('5')
    expect(sourceText(root.left.right, query)).toBe('has u/𝒳')
    expect(sourceText(root.right, query)).toBe('u/b matches "x y"')
  })

  it('gives the about value if it is a query for one', () => {
    expect(aboutOf(parseQuery(' SERVICE/about = "a \\"b\\"" '))).toBe('a "b"')
    for (const text of [
      'service/about != "x"',
      'service/about = 5',
      'service/about matches "x"',
      'u/about = "x"',
      'service/about = "x" and service/about = "x"',
      `service/id = "${ID}"`,
    ]) {
      expect(aboutOf(parseQuery(text))).toBeUndefined()
    }
  })
})

describe('a query after another one', () => {
  const outcome = (read: () => unknown): unknown => {
    try {
      return read()
    } catch (error) {
      if (error instanceof ServiceError) return [error.errorClass, error.facts]
      throw error
    }
  }
  const sameAsAlone = (before: string, text: string, limits: QueryLimits = QUERY_LIMITS): void => {
    const after = outcome(() => parseQueryAfter(parseQuery(before), text, limits))
    expect(after).toEqual(outcome(() => parseQuery(text, limits)))
  }

  const ALIKE = [
    'service/about = "x"',
    ' Service/about="x"',
    'alice/when >= "2026"',
    'u/a matches "x"',
    'u/a contains "x"',
    `service/id = "${ID}"`,
    `(service/id = "${ID}")`,
    '(u/a = "x")',
    'u/a = "x" ',
    'has u/b or u/a = "x"',
    'u/a = 5',
  ]
  const OTHERS = [
    '"y"',
    '""',
    `"${ID.toUpperCase()}"`,
    '"a" or has u/b',
    '"\\""',
    '"\\\\"',
    '"y',
    '"y" ',
    '"\n"',
    '5',
    '"',
  ]

  it('is read as by itself', () => {
    for (const before of ALIKE) {
      for (const text of [
        ...ALIKE,
        ...ALIKE.flatMap((one) => OTHERS.map((other) => one.replace(/".*"/, other))),
      ])
        sameAsAlone(before, text)
    }
  })

  it('is read as by itself, whatever is in its string', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        sameAsAlone('service/about = "x"', `service/about = "${text}"`)
      }),
    )
  })

  it('has the same limit of octets', () => {
    sameAsAlone('u/a = "x"', `u/a = "${'é'.repeat(10)}"`, { ...QUERY_LIMITS, bytes: 27 })
    sameAsAlone('u/a = "x"', `u/a = "${'é'.repeat(10)}"`, { ...QUERY_LIMITS, bytes: 28 })
  })

  it('needs no reading of what precedes its string', () => {
    const before = parseQuery('service/about = "x"')
    const { root } = parseQueryAfter(
      { ...before, root: { ...before.root, start: -1 } },
      'service/about = "y"',
      QUERY_LIMITS,
    )
    expect(root).toMatchObject({ start: -1, operand: { value: 'y' } })
    expect(parseQueryAfter(before, before.text, QUERY_LIMITS)).toBe(before)
  })
})

describe('any query', () => {
  const STRENGTH: Record<string, number> = { or: 1, and: 2, except: 3 }
  const strength = (tree: Tree): number => STRENGTH[tree.kind as string] ?? 4

  /** A tree as a query, with parentheses only where they are needed. */
  function print(tree: Tree, least = 0): string {
    if (strength(tree) < least) return `(${print(tree)})`
    if (strength(tree) === 4) return `has ${tree.path as string}`
    const { kind, left, right } = tree as { kind: string; left: Tree; right: Tree }
    return `${print(left, strength(tree))} ${kind} ${print(right, strength(tree) + 1)}`
  }

  const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; branch: Tree }>((tie) => ({
    leaf: fc.constantFrom('u/a', 'or/or', 'has/and', '1/2').map(has),
    branch: fc.record({
      kind: fc.constantFrom('or', 'and', 'except'),
      left: tie('tree'),
      right: tie('tree'),
    }),
    tree: fc.oneof({ maxDepth: 6, withCrossShrink: true }, tie('leaf'), tie('branch')),
  }))

  it('has one reading, given by the binding of its operators', () => {
    fc.assert(
      fc.property(tree, (expected) => {
        const text = print(expected)
        expect(bare(parseQuery(text).root)).toEqual(expected)
        expect(parses(text)).toBe(1)
      }),
    )
  })

  it('or text of random tokens either parses or gets an error with a position', () => {
    const token = fc.constantFrom(
      'has',
      'u/a',
      '=',
      '<',
      '"x"',
      '5',
      'null',
      'and',
      'or',
      'except',
      '(',
      ')',
      'x',
      '"',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = tokens.join(' ')
        try {
          parseQuery(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError)
          expect((error as ServiceError).facts.message).toMatch(/^line 1, column \d+: /)
          return
        }
        expect(parses(text)).toBe(1)
      }),
      { numRuns: 1_000 },
    )
  })
})
