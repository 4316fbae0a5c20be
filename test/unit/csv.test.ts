/** CSV as the command and the console read and write it, wherever the pieces of a file are cut. */
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { csvText } from '../../common/csv-text.ts'
import { Failure } from '../../common/failure.ts'
import { detect, formatOf } from '../../common/importing/detection.ts'
import type { Format } from '../../common/importing/formats.ts'
import { readRows } from '../../common/importing/rows.ts'

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length)
}

/** The heading, and of each row its fields, or why it is refused. */
async function read(
  text: string,
  length = 1000,
  format: Format = formatOf(undefined, text).format,
): Promise<unknown[]> {
  const { heading, rows } = await readRows(pieces(text, length), format)
  const all = await Array.fromAsync(rows, ({ number, flaw, texts, fields }) =>
    flaw === undefined ? (texts ?? Object.fromEntries(fields)) : `row ${number}: ${flaw}`,
  )
  return heading === undefined ? all : [heading, ...all]
}

const CUTS = [1, 2, 3, 7, 1000]

test.each<[string, string, unknown[]]>([
  [
    'quoted fields',
    'id,"a ""b""",c\n1,"x, ""y""\nz",\n\n2,it\'s 5" wide,""\n3,ü,"last"',
    [
      ['id', 'a "b"', 'c'],
      ['1', 'x, "y"\nz', ''],
      ['2', 'it\'s 5" wide', ''],
      ['3', 'ü', 'last'],
    ],
  ],
  [
    'blanks around quotes',
    'a,b\n1,"a" \n2, "b"\t\n3, c \n',
    [
      ['a', 'b'],
      ['1', 'a'],
      ['2', 'b'],
      ['3', ' c '],
    ],
  ],
  [
    'text after a closing quote',
    'a,b\n1,"a"b\n2,"c"\n3,"say "hi", bob"\n4,d\n',
    [
      ['a', 'b'],
      'row 1: its field 2 goes on after its closing quote (line 2)',
      ['2', 'c'],
      'row 3: its field 2 goes on after its closing quote (line 4)',
      ['4', 'd'],
    ],
  ],
  [
    'doubled quotes at the ends',
    'a,b\n"""",""""""\n',
    [
      ['a', 'b'],
      ['"', '""'],
    ],
  ],
  [
    'line ends of Windows, then of Unix',
    'a,b\r\n1,2\n3,"4"\n"5\r\n",6\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
      ['5\r\n', '6'],
    ],
  ],
  [
    'line ends of Unix, then of Windows',
    'a,b\n1,2\r\n\r\n3,"4"\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4'],
    ],
  ],
  [
    'carriage returns in a file that ends lines in another way',
    'a,b\n1,x\r2,"y\r"\r\n3,z\n',
    [
      ['a', 'b'],
      ['1', 'x'],
      ['2', 'y\r'],
      ['3', 'z'],
    ],
  ],
  [
    'carriage returns as line ends',
    'a,b\r1,2\r\r3,"4\n"\r5,6\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
      ['3', '4\n'],
      ['5', '6'],
    ],
  ],
  [
    'line ends in the heading',
    'id,"a\r\n""b""\r\n",c\n1,"x\ny",2\n3,,4\n',
    [
      ['id', 'a\r\n"b"', 'c'],
      ['1', 'x\ny', '2'],
      ['3', '', '4'],
    ],
  ],
  [
    'bars',
    '"a\r\nb"|c|"d"\n1|5" wide|2\n3|4|5\n',
    [
      ['a\r\nb', 'c', 'd'],
      ['1', '5" wide', '2'],
      ['3', '4', '5'],
    ],
  ],
  [
    'semicolons',
    'a;b\n1;"2;3"\n4;5\n',
    [
      ['a', 'b'],
      ['1', '2;3'],
      ['4', '5'],
    ],
  ],
  [
    'tabs, and quotes that mean nothing',
    'a\tb\n1\t5" wide\n"2\t3\n',
    [
      ['a', 'b'],
      ['1', '5" wide'],
      ['"2', '3'],
    ],
  ],
  [
    'tabs and quotes',
    'a\tb\n"0"\t"2\t"\n "3"\t4\n',
    [
      ['a', 'b'],
      ['0', '2\t'],
      ['3', '4'],
    ],
  ],
  [
    'too few and too many fields',
    'a,b\n1\n1,2,3\n1,\n1,2,,\n',
    [
      ['a', 'b'],
      ['1'],
      'row 2: it has 3 fields, and the heading has 2 (line 3)',
      ['1', ''],
      ['1', '2', '', ''],
    ],
  ],
  [
    'a heading with blanks, empty names and repeated ones',
    ' a ,"b",,b,, \n1,2,3,4,5,6\n',
    [
      ['a', 'b', 'column 3', 'b (2)', 'column 5', 'column 6'],
      ['1', '2', '3', '4', '5', '6'],
    ],
  ],
  [
    'a quote that is lost, and rows after it',
    'a,b\n1,"x"\n2,"b""\n3,"c"\n4,"d"\n',
    [
      ['a', 'b'],
      ['1', 'x'],
      'row 2: its field 2 begins with a quote that is not closed (line 3)',
      ['3', 'c'],
      ['4', 'd'],
    ],
  ],
  [
    'a quote that is lost before a row of several lines',
    'a,b\n1,"x\n2,"y\nz"\n3,w\n',
    [
      ['a', 'b'],
      'row 1: its field 2 begins with a quote that is not closed (line 2)',
      ['2', 'y\nz'],
      ['3', 'w'],
    ],
  ],
  [
    'quotes inside a field of several lines',
    'a,b\n1,"x\ny "z", w\nv"\n2,u\n',
    [['a', 'b'], 'row 1: its field 2 goes on after its closing quote (lines 2 to 4)', ['2', 'u']],
  ],
  [
    'a quote that is not closed, and rows after it',
    'a,b\n1,2\n3, "4\n5,6\n\n7,8\n',
    [
      ['a', 'b'],
      ['1', '2'],
      'row 2: its field 2 begins with a quote that is not closed (line 3)',
      ['5', '6'],
      ['7', '8'],
    ],
  ],
  [
    'a quote that is not closed, and text after it',
    'a,b\n1,2\n3,"4\nfive\nsix\n',
    [['a', 'b'], ['1', '2'], 'row 2: its field 2 begins with a quote that is not closed (lines 3 to 5)'],
  ],
  ['an empty field alone', 'a\n""\n\n1\n', [['a'], [''], ['1']]],
  ['an empty file', '', [[]]],
  ['NDJSON', '{"a":1,"b":"x"}\n\n{"a":2}\n', [{ a: 1, b: 'x' }, { a: 2 }]],
  ['a JSON array', '[{"a":[1,"]"]},\n{"b":"\\"},{"}]', [{ a: [1, ']'] }, { b: '"},{' }]],
])('%s', async (_what, text, expected) => {
  for (const length of CUTS) expect(await read(text, length)).toEqual(expected)
})

test.each([
  ['a,"b\n1,2\n', 'its field 2 begins with a quote that is not closed (lines 1 to 2)'],
  ['a,"b"c\n1,2\n', 'its field 2 goes on after its closing quote (line 1)'],
])('the heading of %j cannot be read', async (text, what) => {
  for (const length of CUTS)
    await expect(read(text, length)).rejects.toThrow(new Failure(`the heading cannot be read: ${what}`, ''))
})

test.each([
  [
    3,
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [4, [['1', '2']]],
  [0, [['column 1'], 'row 1: its field 1 begins with a quote that is not closed (lines 1 to 4)']],
])('the heading may be in line %d', async (heading, expected) => {
  const text = '"All\r\n\na,b\r\n1,2\r\n'
  const format = { name: 'csv', separator: ',', quotes: true, heading } as const
  for (const length of CUTS) expect(await read(text, length, format)).toEqual(expected)
})

const MIB = 1024 * 1024

test.each([
  ['without quotes', 'x'],
  ['with quotes', '"'],
])('a field of more than 16 MiB %s is refused, and the rows after it are read', async (_what, quote) => {
  async function* long(): AsyncGenerator<string> {
    yield `a,b\n1,${quote}`
    for (let size = 0; size < 17; size++) yield quote === '"' ? '""\n;'.repeat(MIB / 4) : 'x'.repeat(MIB)
    yield `${quote}\n2,y\n`
  }
  const { rows } = await readRows(long(), { name: 'csv', separator: ',', quotes: true })
  const [first, second, ...others] = await Array.fromAsync(rows)
  expect(first?.flaw).toBe('it is longer than 16 MiB')
  expect(second?.texts).toEqual(['2', 'y'])
  expect(others).toEqual([])
})

test('a quote that is not closed in 16 MiB does not take the rows after it', async () => {
  async function* long(): AsyncGenerator<string> {
    yield 'a,b\n0,"x\n'
    for (let size = 0; size < 17; size++) yield '1,2222222222222\n'.repeat(MIB / 16)
  }
  const { rows } = await readRows(long(), { name: 'csv', separator: ',', quotes: true })
  expect((await rows.next()).value).toMatchObject({
    flaw: 'its field 2 begins with a quote that is not closed (line 2)',
    texts: ['0', '"x'],
  })
  let count = 0
  for await (const { flaw } of rows) if (flaw === undefined) count += 1
  expect(count).toBe((17 * MIB) / 16)
})

test.each([';', '||', '.', '^', ']', '\\', '-', ' '])(
  'a mapping may name %j as separator',
  async (separator) => {
    const text = ['a', 'b'].join(separator) + '\n' + ['"1"', `"2${separator}3"`].join(separator) + '\n'
    for (const length of CUTS)
      expect(await read(text, length, { name: 'csv', separator, quotes: true })).toEqual([
        ['a', 'b'],
        ['1', `2${separator}3`],
      ])
  },
)

test('what is written is read again', async () => {
  const texts = [
    '',
    'a',
    '"',
    '""',
    'a"b',
    '"a"',
    ',',
    'a,b',
    '\n',
    '\r',
    '\r\n',
    ' ',
    ' a ',
    ' "a" ',
    '\t"',
    'ü',
  ]
  const lines = texts.flatMap((one) => texts.map((other) => [one, other]))
  const text = csvText([['a', 'b'], ...lines])
  for (const length of CUTS)
    expect(await read(text, length, { name: 'csv', separator: ',', quotes: true })).toEqual([
      ['a', 'b'],
      ...lines,
    ])
})

const field = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r', ' ', '0') })

test('any table is read again, with any separator, line ends and encoding', async () => {
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(field, { minLength: width, maxLength: width }), { maxLength: 6 }))
  const dialect = fc.record({
    separator: fc.constantFrom(',', ';', '\t', '|'),
    ends: fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 1, maxLength: 3 }),
    quotesAll: fc.boolean(),
    encoding: fc.constantFrom('utf8', 'utf16le', 'latin1'),
    length: fc.integer({ min: 1, max: 20 }),
  })
  await fc.assert(
    fc.asyncProperty(table, dialect, async (rows, { separator, ends, quotesAll, encoding, length }) => {
      const width = rows[0]?.length ?? 2
      const lines = [Array.from({ length: width }, (_, index) => `c${index}`), ...rows]
      const quoted = (text: string): string =>
        quotesAll || text === '' || /[\s",;|]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
      const text = lines
        .map((line, index) => line.map(quoted).join(separator) + (ends[index % ends.length] ?? ''))
        .join('')
      const octets = Buffer.from(encoding === 'utf16le' ? `\ufeff${text}` : text, encoding)
      const found = detect(octets, 'a.txt', {
        separator,
        ...(encoding === 'latin1' && { encoding }),
      }).encoding
      const read = await readRows(pieces(new TextDecoder(found).decode(octets), length), {
        name: 'csv',
        separator,
        quotes: true,
      })
      const texts = await Array.fromAsync(read.rows, (row) => row.flaw ?? row.texts)
      expect([read.heading, ...texts]).toEqual(lines)
    }),
    { numRuns: 300 },
  )
})
