/** `gloss import`: what fields become, which rows of an object count, and which files and services it uses. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { parseExact } from '../../packages/client/json.ts'
import { emptyHome, gloss, type Ended, type RunOptions } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

let service: Service
const home = emptyHome()
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service.stop()
  home.remove()
})

/** Each test has a folder and a namespace of its own. */
let folder: string
let namespace: string
let tests = 0
beforeEach(() => {
  tests += 1
  namespace = `alice/v${String(tests)}`
  folder = join(home.folder, String(tests))
  mkdirSync(folder)
})

const put = (name: string, content: string | Buffer): void => {
  writeFileSync(join(folder, name), content)
}

const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  gloss(['import', ...args], {
    cwd: folder,
    env: { GLOSS_URL: service.url, GLOSS_USER: 'alice', GLOSS_PASSWORD: PASSWORD },
    ...options,
  })

/** Imports `a.csv`, with one object for each `n`. */
const take = (...more: readonly string[]): Promise<Ended> =>
  run(['a.csv', '--about', `${namespace}:{n}`, '--into', namespace, ...more])

/** The JSON of the values of a tag in the namespace, by about value. */
async function stored(tag: string): Promise<Record<string, string>> {
  const path = `${namespace}/${tag}`
  const { body } = await service.ok('GET', '/values', {
    as: 'alice',
    query: { query: `has ${path}`, tag: ['service/about', path] },
  })
  const { results } = parseExact(body.toString()) as {
    results: { id: Record<string, Record<string, { value: unknown }>> }
  }
  return Object.fromEntries(
    Object.values(results.id).map((values) => [
      (values['service/about']?.value as string).slice(namespace.length + 1),
      JSON.stringify(values[path]?.value),
    ]),
  )
}

describe('rows about one object', () => {
  const REPEATED = 'n,a,b,size\n1,x,s,5\n2,y,s,6\n1,z,s,5\n1,,s,5\n3,w,s,7\n'
  const SUMMARY = '5 rows on 3 objects'

  test.each([[['--dry-run']], [['--yes']]])('are refused without a choice, with %j', async (more) => {
    put('a.csv', REPEATED)
    const { status, stderr } = await take(...more)
    expect(status).toBe(2)
    expect(stderr).toContain(`${SUMMARY}: later rows would replace values of earlier ones`)
    expect(stderr).toContain('--on-repeat last|first|list|refuse')
    expect((await service.request('GET', `/namespaces/${namespace}`, { as: 'alice' })).status).toBe(404)
  })

  test.each([
    ['last', { 1: '"z"', 2: '"y"', 3: '"w"' }, '5 rows imported', 0],
    ['first', { 1: '"x"', 2: '"y"', 3: '"w"' }, '3 rows imported', 0],
    ['list', { 1: '["x","z"]', 2: '"y"', 3: '"w"' }, '5 rows imported', 0],
    ['refuse', { 1: '"x"', 2: '"y"', 3: '"w"' }, '3 rows imported, 2 refused → a.refused.csv', 3],
  ])('count as --on-repeat %s says', async (choice, values, closing, expected) => {
    put('a.csv', REPEATED)
    const dry = await take('--on-repeat', choice, '--dry-run')
    const { status, stderr } = await take('--on-repeat', choice, '--yes')
    expect(stderr.split('\n').at(-2)).toBe(`${SUMMARY}: ${closing}`)
    expect({ status, dry: dry.status }).toEqual({ status: expected, dry: expected })
    expect(dry.stderr).toContain(`${SUMMARY}: ${closing.replace(/(\d rows).*/, '$1 would be sent')}`)
    expect(await stored('a')).toEqual(values)
    expect(await stored('b')).toEqual({ 1: '"s"', 2: '"s"', 3: '"s"' })
    expect(await stored('size')).toEqual({ 1: '5', 2: '6', 3: '7' })
    if (choice === 'refuse') {
      expect(readFileSync(join(folder, 'a.refused.csv'), 'utf8')).toBe(
        'n,a,b,size,reason\n1,z,s,5,row 3: row 1 is about the same object\n1,,s,5,row 4: row 1 is about the same object\n',
      )
    }
  })

  test('with different numbers make no list', async () => {
    put('a.csv', 'n,size\n1,5\n2,6\n1,7\n')
    const { status } = await take('--on-repeat', 'list', '--yes')
    expect(status).toBe(3)
    expect(await stored('size')).toEqual({ 2: '6' })
    const why = 'size: ""5"" and ""7"" are about the same object, and only strings become a list'
    expect(readFileSync(join(folder, 'a.refused.csv'), 'utf8')).toBe(
      `n,size,reason\n1,5,"row 1: ${why}"\n1,7,"row 3: ${why}"\n`,
    )
  })

  test('are found in all of standard input and of JSON, far apart', async () => {
    const rows = Array.from(
      { length: 3000 },
      (_, index) => `{"n":"${String(index % 2999)}","a":"${String(index)}"}`,
    )
    const args = ['-', '--about', `${namespace}:{n}`, '--into', namespace, '--yes']
    const refused = await run(args, { input: rows.join('\n') })
    expect({ status: refused.status, said: refused.stderr.includes('3,000 rows on 2,999 objects') }).toEqual({
      status: 2,
      said: true,
    })
    const { stderr } = await run([...args, '--on-repeat', 'list'], { input: rows.join('\n') })
    expect(stderr).toMatch(/3,000 rows on 2,999 objects: 3,000 rows imported\n$/)
    expect(await stored('a')).toMatchObject({ 0: '["0","2999"]', 1: '"1"' })
  })

  test('count as a mapping says, too', async () => {
    put('a.csv', REPEATED)
    expect((await take('--on-repeat', 'first', '--save', 'm.json', '--dry-run')).status).toBe(0)
    expect((await run(['a.csv', '--mapping', 'm.json', '--yes'])).status).toBe(0)
    expect(await stored('a')).toMatchObject({ 1: '"x"' })
  })
})

describe('what becomes of texts is shown before, and is what is stored', () => {
  test.each<[string, readonly string[], readonly string[], string, readonly string[]]>([
    [
      'digits that floats lack',
      ['1.10', '1E5', '-0', '2.5'],
      [],
      '"1.10" becomes 1.1',
      ['1.1', '100000.0', '-0.0', '2.5'],
    ],
    ['19 digits', ['1234567890123456789', '1'], [], '1234567890123456789  1', ['1234567890123456789', '1']],
    ['blanks around numbers', [' 5', '6 '], [], 'the blanks around " 5" are left out', ['5', '6']],
    ['blanks around strings', [' x', 'y'], [], 'the blanks around " x" are kept', ['" x"', '"y"']],
    ['missing numbers', ['1', 'NA', '2'], [], '"NA" is read as no value', ['1', '', '2']],
    ['Namibia', ['NA', 'DE'], [], '"NA"  "DE"', ['"NA"', '"DE"']],
    [
      'two texts for missing',
      ['x', '?', 'NA'],
      ['--null', '?', '--null', 'NA'],
      'string, 2 empty',
      ['"x"', '', ''],
    ],
    ['missing as null', ['1', String.raw`\N`], ['--empty', 'null'], 'is read as no value', ['1', 'null']],
    ['decimal commas', ['1,50', '10.000,99'], [], '"1,50" becomes 1.5', ['1.5', '10000.99']],
    ['thousands', ['1,234,567', '12'], [], '"1,234,567" becomes 1234567', ['1234567', '12']],
    ['either', ['1,234', '5'], [], 'only with a known decimal separator', ['"1,234"', '"5"']],
    ['either, decided', ['1,234', '5'], ['--decimal', '.'], 'int', ['1234', '5']],
    ['either, decided otherwise', ['1,234', '5'], ['--decimal', ','], 'float', ['1.234', '5.0']],
    [
      'dates',
      ['2026-11-28', '2026-11-29'],
      [],
      'there is no type for dates',
      ['"2026-11-28"', '"2026-11-29"'],
    ],
    ['lists in JSON', ['["a","b"]', '[]'], [], 'list of strings', ['["a","b"]', '[]']],
  ])('%s', async (_what, texts, more, said, values) => {
    put(
      'a.csv',
      ['n;v', ...texts.map((text, index) => `${String(index)};"${text.replaceAll('"', '""')}"`)].join('\n'),
    )
    const { status, stderr } = await take(...more, '--yes')
    expect(stderr).toContain(said)
    expect(status).toBe(0)
    expect(await stored('v')).toEqual(
      Object.fromEntries(
        values.map((value, index) => [index, value] as const).filter(([, value]) => value !== ''),
      ),
    )
  })

  test('between commas a decimal comma is not guessed, and beside decimal commas a point is not sure', async () => {
    put('a.csv', 'n,v\n1,"51,12"\n')
    expect((await take('--dry-run')).stderr).toContain(
      '"51,12" is a number only with a known decimal separator',
    )
    put('a.csv', 'n;v;w\n1;1,50;1.234\n')
    expect((await take('--dry-run')).stderr).toContain(
      '"1.234" is a number only with a known decimal separator',
    )
  })

  test('a chosen type refuses the rows that do not fit, and no others', async () => {
    put('a.csv', 'n,v\n1,2.5\n2,NA\n')
    expect((await take('--type', 'v=float', '--yes')).status).toBe(3)
    expect(await stored('v')).toEqual({ 1: '2.5' })
  })
})
