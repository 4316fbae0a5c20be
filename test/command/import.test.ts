/** `gloss import`: formats and encodings, types, what is refused, and what is left when it is interrupted. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { parseExact } from '../../packages/client/json.ts'
import { emptyHome, expectGolden, gloss, type Ended, type RunOptions } from '../support/gloss.ts'
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
  namespace = `alice/t${String(tests)}`
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

/** The values of the namespace's tags, by about value and name, as their JSON. */
async function stored(tags: readonly string[]): Promise<Record<string, Record<string, string>>> {
  const query = tags.map((tag) => `has ${namespace}/${tag}`).join(' or ')
  const paths = tags.map((tag) => `${namespace}/${tag}`)
  const { body } = await service.ok('GET', '/values', {
    as: 'alice',
    query: { query, tag: ['service/about', ...paths] },
  })
  const { results } = parseExact(body.toString()) as {
    results: { id: Record<string, Record<string, { value: unknown }>> }
  }
  return Object.fromEntries(
    Object.values(results.id).map((values) => [
      values['service/about']?.value as string,
      Object.fromEntries(
        tags.flatMap((tag, index) => {
          const entry = values[paths[index] ?? '']
          return entry === undefined ? [] : [[tag, JSON.stringify(entry.value)]]
        }),
      ),
    ]),
  )
}

const TAGS = ['name', 'big', 'share', 'open', 'kinds']
const PLACES = [
  ['1', 'Zoë, "Z"', '9223372036854775807', '5', 'true', 'a;b'],
  ['2', 'café', '-3', '0.25', 'false', 'c'],
]
const EXPECTED = {
  'p:1': {
    name: '"Zoë, \\"Z\\""',
    big: '9223372036854775807',
    share: '5.0',
    open: 'true',
    kinds: '["a","b"]',
  },
  'p:2': { name: '"café"', big: '-3', share: '0.25', open: 'false', kinds: '["c"]' },
}

const separated = (separator: string): string =>
  [['n', ...TAGS], ...PLACES]
    .map((row) =>
      row.map((field) => (/[",;|]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(separator),
    )
    .join('\n')

const objects = PLACES.map(
  ([n = '', name = '', big = '', share = '', open = '', kinds = '']) =>
    `{"n":${n},"name":${JSON.stringify(name)},"big":${big},"share":${share},"open":${open},"kinds":${JSON.stringify(kinds.split(';'))}}`,
)
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('the same rows', () => {
  const csv = separated(',')
  test.each<[string, string, string | Buffer]>([
    ['CSV', 'a.csv', csv],
    ['CSV with line ends of Windows', 'a.csv', csv.replaceAll('\n', '\r\n')],
    ['CSV with semicolons', 'a.csv', separated(';')],
    ['CSV with bars, and no suffix', 'rows', separated('|')],
    ['TSV', 'a.tsv', separated('\t')],
    ['TSV without quotes', 'a.tsv', [['n', ...TAGS], ...PLACES].map((row) => row.join('\t')).join('\n')],
    ['a JSON array', 'a.json', `[\n${objects.join(',\n')}\n]\n`],
    ['NDJSON', 'a.ndjson', `${objects.join('\n')}\n`],
    ['CSV in UTF-8 with a mark', 'a.csv', `\ufeff${csv}`],
    ['CSV in UTF-16', 'a.csv', utf16(csv)],
    ['CSV in UTF-16, high octet first', 'a.csv', utf16(csv).swap16()],
    ['CSV in Latin-1', 'a.csv', Buffer.from(csv, 'latin1')],
    ['packed CSV', 'a.csv.gz', gzipSync(csv)],
    ['packed NDJSON in two parts', 'a.ndjson.gz', Buffer.concat(objects.map((one) => gzipSync(`${one}\n`)))],
    ['a packed JSON array in UTF-16', 'a.json.gz', gzipSync(utf16(`[${objects.join()}]`))],
  ])('as %s', async (_what, name, content) => {
    put(name, content)
    const { status, stdout, stderr } = await run([
      ...[name, '--about', 'p:{n}', '--into', namespace, '--yes'],
      ...['--list-separator', ';', '--type', 'kinds=list'],
    ])
    expect(stderr).toMatch(/\n2 rows imported\n$/)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(await stored(TAGS)).toEqual(EXPECTED)
    expect(readdirSync(folder)).toEqual([name])
  })

  test('into a namespace with a slash at its end, zeros with their sign', async () => {
    put('a.csv', 'n,int,float\n1,-0,-0.0\n')
    const { status } = await run(['a.csv', '--about', 'p:{n}', '--into', `${namespace}/`, '--yes'])
    expect(status).toBe(0)
    expect(await stored(['int', 'float'])).toEqual({ 'p:1': { int: '-0', float: '-0.0' } })
  })

  test('on standard input', async () => {
    const args = ['-', '--about', 'p:{n}', '--into', namespace, '--list-separator', ';']
    const unasked = await run(args, { input: csv })
    expect(unasked.status).toBe(2)
    expect(unasked.stderr).toContain('--yes')
    const { status, stderr } = await run([...args, '--yes'], { input: csv })
    expect({ status, said: stderr.includes('cannot be read twice') }).toEqual({ status: 0, said: true })
    expect(await stored(TAGS)).toEqual(EXPECTED)
  })
})

const MIXED = `id,zip,size,share,code,far,gone,note,photo name,open
1,04109,12,1,7,99999999999999999999,,plain,a.png,true
2,80331,,2.5,x,1,,"two
lines",b.png,FALSE
3,10115,-4,1e3,9,2,,\u001b[31mred,c.png,True
`

describe('before it begins', () => {
  const args = ['mixed.csv', '--about', 'row:{id}', '--into', 'alice/cities', '--dry-run']

  test('columns, types and why are shown', async () => {
    put('mixed.csv', MIXED)
    const { status, stdout, stderr } = await run(args)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expectGolden('import.preview.txt', stderr)
  })

  test.each([80, 200])('on a terminal of %d columns', async (columns) => {
    put('mixed.csv', MIXED)
    const { stdout } = await run(args, { columns })
    expectGolden(`import.preview.${String(columns)}.txt`, stdout)
  })

  test('a dry run changes nothing, needs no service, and says what would be refused', async () => {
    const rows = Array.from({ length: 1200 }, (_, index) => `${String(index)},2\n`)
    put('a.csv', `n,size\n${rows.join('')}last,x\n`)
    const { status, stderr } = await run(['a.csv', '--about', 'p:{n}', '--into', namespace, '--dry-run'], {
      env: {},
    })
    expect(status).toBe(3)
    expect(stderr).toContain('The types are those of the first 1,000 rows.')
    expect(stderr).toContain('\nrow 1201: size: "x" is no int of 64 bits\n')
    expect(stderr).toMatch(/\n1,200 rows would be sent, 1 refused\. Nothing has been changed\.\n$/)
    expect((await service.request('GET', `/namespaces/${namespace}`, { as: 'alice' })).status).toBe(404)
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  test.each<[string, string, readonly string[], string]>([
    ['no object', 'n,a\n1,2\n', ['--into', 'alice/x'], "--about 'city:{n}'"],
    ['no namespace', 'n,a\n1,2\n', ['--about', 'p:{n}'], '--into alice/cities'],
    [
      'a column that is not there',
      'name,a\n1,2\n',
      ['--about', 'p:{nam}', '--into', 'alice/x'],
      'did you mean name?',
    ],
    ['a template without columns', 'n,a\n1,2\n', ['--about', 'p', '--into', 'alice/x'], 'names no column'],
    [
      'two names for the object',
      'n,a\n1,2\n',
      ['--about', '{n}', '--id', 'n', '--into', 'alice/x'],
      'choose one',
    ],
    [
      'a column of 12 that is not there',
      'a,b,c,d,e,f,g,h,i,j,k,l\n1\n',
      ['--about', '{a}', '--into', 'alice/x', '--skip', 'price'],
      'there are a, b, c, d, e, f, g, h, i, j and 2 others',
    ],
    ['two separators', 'a,b;c\n1,2;3\n', ['--about', '{a}', '--into', 'alice/x'], "--separator ';'"],
    [
      'a title before the heading',
      'All places\nn,a\n1,2\n3,4\n',
      ['--about', '{n}', '--into', 'alice/x'],
      '--heading 3',
    ],
    [
      'an encoding that is none',
      'n,a\n1,2\n',
      ['--about', '{n}', '--into', 'alice/x', '--encoding', 'utf-9'],
      "no encoding 'utf-9'",
    ],
    [
      'two columns for one tag',
      'n,a b,a-b\n1,2,3\n',
      ['--about', '{n}', '--into', 'alice/x'],
      'both become alice/x/a-b',
    ],
    ['a column that is no name', 'n,!\n1,2\n', ['--about', '{n}', '--into', 'alice/x'], "--skip '!'"],
    [
      'a type that is none',
      'n,a\n1,2\n',
      ['--about', '{n}', '--into', 'alice/x', '--type', 'a=text'],
      'boolean, int',
    ],
    [
      'a mapping and a type',
      'n,a\n1,2\n',
      ['--mapping', 'a.csv', '--type', 'a=int'],
      'is no mapping|cannot be read',
    ],
    [
      'a namespace that is no path',
      'n,a\n1,2\n',
      ['--about', '{n}', '--into', 'alice/a b'],
      "--into 'alice/a b' names no namespace",
    ],
    ['an empty file', '', ['--about', '{n}', '--into', 'alice/x'], 'a.csv is empty'],
    ['an import that was not begun', 'n,a\n', ['--resume'], "no import of 'a.csv' has been interrupted"],
  ])('%s is misuse', async (_what, content, more, said) => {
    put('a.csv', content)
    const { status, stdout, stderr } = await run(['a.csv', ...more, '--yes'])
    expect(stderr).toMatch(
      new RegExp(said.includes('|') ? said : said.replace(/[{}?!()$]/g, String.raw`\$&`)),
    )
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  })

  test.each([
    ['n,"a\n1,2\n', 'the heading cannot be read: its field 2 begins with a quote', 1],
    ['n,a\n1,"2\n', 'the rows cannot be read: row 1: its field 2 begins with a quote', 2],
    ['n,a\n1,2\n3,"4\n', 'row 2: its field 2 begins with a quote that is not closed (line 3)', 3],
    ['n,a\n1,2\n2,"b""\n3,"c"\n', '2 rows would be sent, 1 refused', 3],
    ['n,a\n', '0 rows would be sent', 0],
  ])('%j: %s', async (content, said, wanted) => {
    put('a.csv', content)
    const { status, stderr } = await run(['a.csv', '--about', '{n}', '--into', 'alice/x', '--dry-run'])
    expect(stderr).toContain(said)
    expect(status).toBe(wanted)
  })
})

test('all columns of objects in lists need a word, and other objects are columns', async () => {
  put('a.ndjson', '{"n":1,"at":{"x":1.50,"of":[{"y":2.0}]},"b":[1]}\n')
  const args = ['a.ndjson', '--about', 'p:{n}', '--into', namespace, '--yes']
  const { status, stderr } = await run(args)
  expect(stderr).toContain("--skip 'at.of' --skip 'b', or keep their JSON as text with --type 'at.of=string'")
  expect(status).toBe(2)
  expect((await run([...args, '--type', 'at.of=string', '--skip', 'b'])).status).toBe(0)
  expect(await stored(['at.x', 'at.of'])).toEqual({
    'p:1': { 'at.x': '1.5', 'at.of': String.raw`"[{\"y\":2.0}]"` },
  })
})

test('a row that cannot be written is refused with its reason, and the others are written', async () => {
  const good = Array.from({ length: 1000 }, (_, index) => `${String(index)},${String(index)},x`)
  const bad = [
    'a,12a,x',
    'b,1',
    'c,1,x,y,z',
    ',1,x',
    `d,9223372036854775808,x`,
    'e,007,x',
    'f,1,\ufffd',
    // Longer than an about value may be: only the service knows that.
    `${'g'.repeat(66_000)},1,x`,
  ]
  put('a.csv', ['n,size,note', ...good, ...bad, 'last,2.5,x'].join('\n'))
  const args = ['a.csv', '--about', '{n}', '--into', namespace, '--yes']
  const { status, stderr } = await run(args)
  expect(status).toBe(3)
  expect(stderr).toMatch(/\n1,002 rows imported, 7 refused → a\.refused\.csv\n$/)
  const refused = readFileSync(join(folder, 'a.refused.csv'), 'utf8')
  expectGolden('import.refused.csv', refused.replace(/g{66000}/, 'ggg'))
  const values = await stored(['size'])
  expect(Object.keys(values)).toHaveLength(1002)
  expect(values['last']).toEqual({ size: '2.5' })
  // Twice changes nothing.
  expect((await run(args)).status).toBe(3)
  expect(readFileSync(join(folder, 'a.refused.csv'), 'utf8')).toBe(refused)
  expect(await stored(['size'])).toEqual(values)
})

test('a row of CSV with text after a closing quote is refused, and those around it are not', async () => {
  put('a.csv', 'n,a\r\n1,"x" \n2,"y"z\n3,"w"\n')
  const { status } = await run(['a.csv', '--about', 'p:{n}', '--into', namespace, '--yes'])
  expect(status).toBe(3)
  expect(await stored(['a'])).toEqual({ 'p:1': { a: '"x"' }, 'p:3': { a: '"w"' } })
  expect(readFileSync(join(folder, 'a.refused.csv'), 'utf8')).toBe(
    'n,a,reason\n2,"""y""z",row 2: its field 2 goes on after its closing quote (line 3)\n',
  )
})

test('JSON that is none, a member that came late, and a list of numbers are refused', async () => {
  const good = Array.from({ length: 1000 }, (_, index) => `{"n":${String(index)},"v":"x"}`)
  const bad = ['{"n":', '[1]', '{"n":"late","w":1}', '{"n":"list","v":[1]}']
  put('a.ndjson', [...good, ...bad, '{"n":"null","v":null}'].join('\n'))
  const { status } = await run(['a.ndjson', '--about', '{n}', '--into', namespace, '--yes'])
  expect(status).toBe(3)
  const lines = readFileSync(join(folder, 'a.refused.csv'), 'utf8').trimEnd().split('\n')
  expect(lines.slice(2)).toEqual(
    ['[1],,row 1002: it is no JSON object', "late,,row 1003: 'w' is not in the mapping"].concat(
      lines.slice(4),
    ),
  )
  expect(await stored(['v'])).toMatchObject({ null: { v: 'null' }, list: { v: '"[1]"' } })
})

test('an empty field is left out, or null', async () => {
  put('a.csv', 'n,a,b\n1,,x\n')
  await run(['a.csv', '--about', '{n}', '--into', namespace, '--yes'])
  expect(await stored(['b'])).toEqual({ 1: { b: '"x"' } })
  expect((await service.request('GET', `/tags/${namespace}/a`, { as: 'alice' })).status).toBe(404)
  await run(['a.csv', '--about', '{n}', '--into', namespace, '--yes', '--empty', 'null'])
  expect(await stored(['a', 'b'])).toEqual({ 1: { a: 'null', b: '"x"' } })
})

test('ids in a column name the objects', async () => {
  const { id } = (
    await service.ok('POST', '/objects', { as: 'alice', json: { about: 'p:there' } })
  ).json() as { id: string }
  put('a.csv', `id,a\n${id.toUpperCase()},1\n`)
  expect((await run(['a.csv', '--into', namespace, '--yes'])).status).toBe(0)
  expect(await stored(['a'])).toEqual({ 'p:there': { a: '1' } })
  put('a.csv', `key,a\n${id},2\nnone,3\n`)
  expect((await run(['a.csv', '--id', 'key', '--into', namespace, '--yes'])).status).toBe(3)
  expect(await stored(['a'])).toEqual({ 'p:there': { a: '2' } })
  expect(readFileSync(join(folder, 'a.refused.csv'), 'utf8')).toContain(
    'none,3,"row 2: ""none"" is no id of an object"\n',
  )
})

test('files named in a column are written with their type', async () => {
  put('a.csv', 'n,photo\n1,one.png\n2,none.png\n3,\n')
  put('one.png', Buffer.from([0x89, 0x50, 0x4e, 0x47]))
  const args = ['a.csv', '--about', '{n}', '--into', namespace, '--media-type', 'photo=image/png', '--yes']
  const { status } = await run(args)
  expect(status).toBe(3)
  const { body, headers } = await service.ok('GET', `/about/1/${namespace}/photo`, { as: 'alice' })
  expect({ type: headers['content-type'], octets: [...body] }).toEqual({
    type: 'image/png',
    octets: [0x89, 0x50, 0x4e, 0x47],
  })
  expect(readFileSync(join(folder, 'a.refused.csv'), 'utf8')).toBe(
    'n,photo,reason\n2,none.png,"row 2: photo: there is no file ""none.png"""\n',
  )
})

test('a mapping that is saved imports the same, and is refused for other columns', async () => {
  put('a.csv', 'n,first name\n1,Ada\n')
  const args = ['a.csv', '--about', 'p:{n}', '--into', namespace]
  expect((await run([...args, '--save', 'm.json', '--dry-run'])).status).toBe(0)
  expectGolden(
    'import.mapping.json',
    readFileSync(join(folder, 'm.json'), 'utf8').replace(namespace, 'alice/x'),
  )
  expect((await run(['a.csv', '--mapping', 'm.json', '--yes'])).status).toBe(0)
  expect(await stored(['first-name'])).toEqual({ 'p:1': { 'first-name': '"Ada"' } })
  put('b.csv', 'n,first name,more\n1,Ada,x\n')
  expect((await run(['b.csv', '--mapping', 'm.json', '--yes'])).stderr).toContain(
    "'more' is not in the mapping",
  )
  put('bad.json', readFileSync(join(folder, 'm.json'), 'utf8').replace('"string"', '"text"'))
  const { status, stderr } = await run(['a.csv', '--mapping', 'bad.json', '--yes'])
  expect({ status, said: stderr.includes('is no mapping: a column has') }).toEqual({ status: 2, said: true })
})

test('what may not be written ends it at once, and leaves nothing behind', async () => {
  put('a.csv', 'n,a\n1,2\n')
  const args = ['a.csv', '--about', 'p:{n}', '--into', 'bob/private', '--yes']
  for (const { status, stderr } of [await run(args), await run(args)]) {
    expect(status).toBe(1)
    expect(stderr).toContain('[TPathPermissionDenied]')
    expect(stderr).not.toContain('--resume')
  }
  expect(existsSync(join(folder, 'a.refused.csv'))).toBe(false)
})

test.each<[string, string | Buffer, readonly string[], Record<string, Record<string, string>>]>([
  ['a.csv', 'n,,v,v\n1,,2,3\n2\n', ['--rename', 'v (2)=w'], { 'p:1': { v: '2', w: '3' } }],
  ['a.csv', 'sep=;\r\nn;v\r\n1;2,5\r\n', [], { 'p:1': { v: '2.5' } }],
  ['a.csv', 'Places\n\nn,v\n1,2\n', ['--heading', '3'], { 'p:1': { v: '2' } }],
  ['a.csv', 'n,v;w\n1,2;3\n', ['--separator', ','], { 'p:1': { 'v-w': '"2;3"' } }],
  ['a.csv', Buffer.from('n,v\n1,caf\x8e\n', 'latin1'), [], { 'p:1': { v: '"café"' } }],
  ['a.csv', Buffer.from('n,v\n1,caf\xe9\n', 'latin1'), ['--encoding', 'mac'], { 'p:1': { v: '"cafÈ"' } }],
  ['a.csv', Buffer.from('n,v\n1,\x93\x8c\x8b\x9e\n', 'latin1'), [], { 'p:1': { v: '"東京"' } }],
  ['a.csv', Buffer.from('n,v\n1,é\n', 'utf16le'), [], { 'p:1': { v: '"é"' } }],
  ['a.json', '{"n":1,\n"v":2}\n{"n":2,"v":[]}', [], { 'p:1': { v: '2' }, 'p:2': { v: '[]' } }],
  ['a.json', '{"count":1,"d":{"r":[{"n":1,"v":2.50}]}}', [], { 'p:1': { v: '2.5' } }],
  ['a.json', '{"a":[{"n":1,"v":1}],"b":[{"n":2,"v":2}]}', ['--rows', 'b'], { 'p:2': { v: '2' } }],
  ['a.json', '{"x":{"n":1,"v":{"a":1}},"y":{"n":2}}', ['--skip', 'key'], { 'p:1': { 'v.a': '1' } }],
  [
    'a.json',
    '[["n","v"],[1,18446744073709551615],[2,"x"]]',
    ['--type', 'v=string'],
    { 'p:1': { v: '"18446744073709551615"' }, 'p:2': { v: '"x"' } },
  ],
  [
    'a.geojson',
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":{"type":"Point","coordinates":[1.5,2]}},{"type":"Feature","properties":{"n":2},"geometry":{"type":"Polygon","coordinates":[]}}]}',
    [],
    { 'p:1': { longitude: '1.5', latitude: '2' } },
  ],
])('%s with %j and %j', async (name, content, more, values) => {
  put(name, content)
  const { status, stderr } = await run([name, '--about', 'p:{n}', '--into', namespace, '--yes', ...more])
  expect(stderr).not.toContain('gloss: ')
  expect(status).toBe(0)
  expect(await stored(Object.keys(Object.values(values)[0] ?? {}))).toEqual(values)
})

test.each([
  ['PK\x03\x04 xl/workbook.xml', 'this is a spreadsheet (XLSX)'],
  ['PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'this is a spreadsheet (ODS)'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'this is an old document of Office'],
  ['PAR1\x15\x04', 'this is Parquet'],
  ['SQLite format 3\0', 'this is a database of SQLite'],
  ['%PDF-1.7', 'this is a PDF'],
  ['\x89PNG\r\n', 'this is an image (PNG)'],
  ['<!DOCTYPE html><html>', 'this is a web page (HTML)'],
  ['{"type":"Topology","objects":{}}', 'this is TopoJSON'],
  ['{"a":[{"x":1}],"b":[{"x":2}]}', 'several lists of objects: a, b'],
  ['["a","b"]', 'this is an array of single values'],
])('%j is named, packed or not', async (content, said) => {
  for (const [name, octets] of [
    ['a', Buffer.from(content, 'latin1')],
    ['a.gz', gzipSync(Buffer.from(content, 'latin1'))],
  ] as const) {
    put(name, octets)
    const { status, stdout, stderr } = await run([name, '--about', '{x}', '--into', 'alice/x', '--yes'])
    expect(stderr).toContain(said)
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  }
})

test('an export with ids and about values is imported as it is', async () => {
  put('a.ndjson', `{"id":"019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4","about":"p:1","${namespace}/v":1}\n`)
  const { status, stderr } = await run(['a.ndjson', '--yes'])
  expect({ status, said: stderr.includes('the ids of the objects are left out') }).toEqual({
    status: 0,
    said: true,
  })
  expect(await stored(['v'])).toEqual({ 'p:1': { v: '1' } })
})
