/** `gloss export` of what a query finds: in each form, and as graphs that say the same. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import jsonld from 'jsonld'
import { Parser, type Quad } from 'n3'
import { expectGolden, gloss, type Ended } from '../support/gloss.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const folder = mkdtempSync(join(tmpdir(), 'gloss-export-'))
let service: Service

beforeAll(async () => {
  service = await startService()
  const put = (about: string, tag: string, primitive: string): Promise<unknown> =>
    service.ok('PUT', `/about/${encodeURIComponent(about)}/alice/books/${tag}`, { as: 'alice', primitive })
  await put('book:Dune', 'rating', '9')
  await put('book:Dune', 'pages', '9223372036854775807')
  await put('book:Dune', 'price', '5.0')
  await put('book:Dune', 'weight', '-1.25e-300')
  await put('nothing', 'zero', '-0.0')
  await put('nothing', 'little', '1.25e-300')
  await put('book:Dune', 'read', 'true')
  await put('book:Dune', 'lent', 'null')
  await put('book:Dune', 'topics', '["desert","ecology","desert"]')
  await put('book:Dune', 'none', '[]')
  await put('book:漢字 "q"\\\n\t\u0001\u2028', 'rating', '6')
  await put('book:Emma', 'rating', '8')
  await put('book:Emma', encodeURIComponent('nöte:1'), '"\\u0000 \\"q\\" \\\\ \\r\\n"')
  await service.ok('PUT', '/about/book%3ADune/alice/books/cover', {
    as: 'alice',
    body: 'not a picture',
    headers: { 'content-type': 'image/png' },
  })
  await put('book:Emma', 'secret', '"hidden"')
  await service.ok('PUT', '/permissions/tag-values/alice/books/secret?action=read', {
    as: 'alice',
    json: { policy: 'closed', exceptions: ['alice'] },
  })
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (
  args: readonly string[],
  { columns, user = 'bob' }: { columns?: number; user?: string } = {},
): Promise<Ended> =>
  gloss(['export', ...args], {
    env: { GLOSS_URL: service.url, GLOSS_USER: user, GLOSS_PASSWORD: PASSWORD },
    ...(columns === undefined ? {} : { columns }),
  })

const QUERY = 'has alice/books/rating'
const COLUMNS = [
  '--columns',
  'about,alice/books/rating,alice/books/price,alice/books/topics,alice/books/cover',
]
/** Ids are others each time. */
const stable = (text: string): string => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')

describe('the same objects', () => {
  test.each([
    ['tsv', []],
    ['csv', ['--csv']],
    ['json', ['--json']],
    ['ndjson', ['--ndjson']],
  ])('as %s', async (format, options) => {
    const { status, stdout, stderr } = await run([QUERY, ...COLUMNS, ...options])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '3 objects\n' })
    expectGolden(`export.${format}`, stdout)
  })

  test.each([80, 200])('as a table on a terminal of %d columns', async (columns) => {
    const { status, stdout } = await run([QUERY, ...COLUMNS], { columns })
    expect(status).toBe(0)
    expectGolden(`export.${String(columns)}.txt`, stdout)
  })

  test.each(['json', 'ndjson'])('with all their values, as %s', async (format) => {
    const { stdout } = await run([QUERY, '--columns', '*', `--${format}`])
    expectGolden(`export-all.${format}`, stable(stdout))
    expect(stdout).not.toContain('hidden')
  })

  test('compressed, by the name of the file', async () => {
    const file = join(folder, 'books.csv.gz')
    expect(await run([QUERY, ...COLUMNS, '-o', file])).toEqual({
      status: 0,
      stdout: '',
      stderr: '3 objects\n',
    })
    expectGolden('export.csv', gunzipSync(readFileSync(file)).toString())
  })
})

test('more objects than a page has all come', async () => {
  const queries = Array.from({ length: 2500 }, (_, number) => [
    `service/about = "item:${String(number)}"`,
    { 'alice/items/number': { value: number } },
  ])
  await service.ok('PUT', '/values', { as: 'alice', json: { queries } })
  const { stdout, stderr } = await run(['has alice/items/number', '--columns', 'alice/items/number'])
  const numbers = stdout.trimEnd().split('\n').map(Number)
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 2500 }, (_, number) => number),
  )
  expect(stderr).toBe('2,500 objects\n')
})

/** A line of N-Quads with three or four terms, after the productions of https://www.w3.org/TR/n-quads/#sec-grammar. */
const IRI = String.raw`<(?:[^\x00-\x20<>"{}|^\x60\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>`
const BLANK = String.raw`_:[A-Za-z0-9]+`
const LITERAL = String.raw`"(?:[^"\\\n\r]|\\[tbnrf"'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*"(?:\^\^${IRI}|@[A-Za-z]+(?:-[A-Za-z0-9]+)*)?`
const STATEMENT = new RegExp(`^(?:${IRI}|${BLANK}) ${IRI} (?:${IRI}|${BLANK}|${LITERAL}) \\.$`, 'u')

describe('graphs', () => {
  /** Statements with the blank nodes of lists written out, as the same in every order. */
  function statementsOf(quads: readonly Quad[]): string[] {
    const bySubject = Map.groupBy(quads, ({ subject }) => subject.value)
    const text = (term: Quad['object']): string => {
      if (term.termType === 'Literal') return JSON.stringify([term.value, term.datatype.value])
      if (term.termType !== 'BlankNode') return `<${term.value}>`
      const node = bySubject.get(term.value) ?? []
      expect(node).toHaveLength(2)
      return `(${node
        .map(({ predicate, object }) => `${predicate.value} ${text(object)}`)
        .sort()
        .join(' ')})`
    }
    return quads
      .filter(({ subject }) => subject.termType !== 'BlankNode')
      .map(({ subject, predicate, object }) => `${subject.value} ${predicate.value} ${text(object)}`)
      .sort()
  }

  const quadsOf = (text: string): Quad[] => new Parser({ format: 'N-Quads' }).parse(text)

  test('N-Quads follow the grammar of the standard, line by line', async () => {
    const { status, stdout } = await run([QUERY, '--format', 'nquads'])
    expect(status).toBe(0)
    for (const line of stdout.split('\n').slice(0, -1)) expect(line).toMatch(STATEMENT)
    expectGolden('export.nq', stable(stdout).replaceAll(service.url, 'http://gloss'))
    expect(quadsOf(stdout).length).toBe(stdout.trimEnd().split('\n').length)
  })

  test('JSON-LD says the same', async () => {
    const quads = join(folder, 'books.nq.gz')
    const linked = join(folder, 'books.jsonld')
    expect((await run([QUERY, '-o', quads])).status).toBe(0)
    expect((await run([QUERY, '-o', linked])).status).toBe(0)
    const text = readFileSync(linked, 'utf8')
    expectGolden('export.jsonld', stable(text).replaceAll(service.url, 'http://gloss'))
    const documentLoader = (): never => {
      throw new Error('it must not need the network')
    }
    const converted = await jsonld.toRDF(JSON.parse(text) as object, {
      format: 'application/n-quads',
      documentLoader,
    })
    const statements = statementsOf(quadsOf(converted as unknown as string))
    expect(statements).toEqual(statementsOf(quadsOf(gunzipSync(readFileSync(quads)).toString())))
    expect(statements).toHaveLength(15)
  })

  test('without objects they are empty, and valid', async () => {
    const none = 'alice/books/rating = 100'
    expect((await run([none, '--format', 'nquads'])).stdout).toBe('')
    expect(JSON.parse((await run([none, '--format', 'jsonld'])).stdout)).toMatchObject({ '@graph': [] })
  })

  test('zero keeps its sign', async () => {
    const { stdout } = await run(['has alice/books/zero', '--format', 'nquads'])
    expect(stdout).toContain('/tags/alice/books/zero> "-0.0E0"^^<http://www.w3.org/2001/XMLSchema#double> .')
  })

  test('a small number stays small', async () => {
    const { stdout } = await run(['has alice/books/zero', '--format', 'nquads'])
    expect(stdout).toContain('/tags/alice/books/little> "1.25E-300"^^')
  })

  test('the tags of a graph can be chosen', async () => {
    const { stdout } = await run([QUERY, '--format', 'nquads', '--columns', 'alice/books/rating'])
    const predicates = new Set(quadsOf(stdout).map(({ predicate }) => predicate.value))
    expect(predicates).toEqual(
      new Set(['alice/books/rating', 'service/about'].map((path) => `${service.url}/tags/${path}`)),
    )
  })
})

test.each([
  ['nothing to export', [], 'there is no query'],
  ['a query and everything', [QUERY, '--all'], 'leave out one of them'],
  ['an archive as CSV', ['--all', '--csv'], 'a format of its own'],
  ['two formats', [QUERY, '--csv', '--format', 'nquads'], 'choose one'],
  ['another format', [QUERY, '--format', 'turtle'], 'Allowed choices are jsonld, nquads'],
  ['all columns in rows', [QUERY, '--columns', '*', '--csv'], 'say --ndjson'],
  ['all columns and one', [QUERY, '--columns', '*,about', '--ndjson'], 'leave out the others'],
])('%s is misuse', async (_what, args, said) => {
  const { status, stdout, stderr } = await run(args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain(said)
})

test('an archive asks for objects so that there may be more than a million', async () => {
  const { status, stderr } = await run(['--all', '--verbose'])
  expect(status).toBe(0)
  const asked = stderr.split('\n').filter((line) => line.includes('service%2Fabout%20%3E%3D'))
  expect(asked.length).toBeGreaterThan(0)
  for (const line of asked) expect(line).toContain('count=upto%3A1')
})

test('an archive is not written on a terminal, and a misspelt tag gets the one that was meant', async () => {
  const { status, stdout } = await run(['--all'], { columns: 80 })
  expect(status).toBe(2)
  expect(stdout).toContain('-o store.ndjson.gz')
  expect((await run(['has alice/books/raiting'])).stderr).toContain('did you mean alice/books/rating?')
})

test('a terminal shows how far it is, and a pipe and --quiet do not', async () => {
  const all = ['has alice/items/number', '-o', join(folder, 'items.csv'), '--csv']
  expect((await run(all, { columns: 80 })).stdout).toMatch(
    /^\r1 of 2,500 objects\u001b\[K[^]*2,500 objects\r?\n$/,
  )
  expect((await run([...all, '--quiet'], { columns: 80 })).stdout).toBe('')
})
