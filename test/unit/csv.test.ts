/** CSV as the command and the console read and write it, wherever the pieces of a file are cut. */
import { expect, test } from '@jest/globals'
import { csvText } from '../../common/csv-text.ts'
import { Failure } from '../../common/failure.ts'
import { formatOf } from '../../common/importing/formats.ts'
import { readRows } from '../../common/importing/rows.ts'

async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length)
}

/** The heading, and of each row its fields, or why it is refused. */
async function read(text: string, length = 1000, format = formatOf(undefined, text)): Promise<unknown[]> {
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
      'row 1: its field 2 goes on after its closing quote',
      ['2', 'c'],
      'row 3: its field 2 goes on after its closing quote',
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
    'a,b\n1,x\ry\n',
    [
      ['a', 'b'],
      ['1', 'x\ry'],
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
      ['id', 'a\r\n"b"\r\n', 'c'],
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
    'a,b\n1\n1,2,3\n1,\n',
    [
      ['a', 'b'],
      'row 1: it has 1 fields, and the heading has 2',
      'row 2: it has 3 fields, and the heading has 2',
      ['1', ''],
    ],
  ],
  ['an empty field alone', 'a\n""\n\n1\n', [['a'], [''], ['1']]],
  ['an empty file', '', [[]]],
  ['NDJSON', '{"a":1,"b":"x"}\n\n{"a":2}\n', [{ a: 1, b: 'x' }, { a: 2 }]],
  ['a JSON array', '[{"a":[1,"]"]},\n{"b":"\\"},{"}]', [{ a: [1, ']'] }, { b: '"},{' }]],
])('%s', async (_what, text, expected) => {
  for (const length of CUTS) expect(await read(text, length)).toEqual(expected)
})

test.each([
  ['a,"b\n1,2\n', 'in the heading a quote opens that is not closed'],
  ['a,b\n1,"2\n', 'in row 1 a quote opens that is not closed'],
  ['a,b\n1,"2"\n3, "4\n5,6\n', 'in row 2 a quote opens that is not closed'],
  ['a,"b"c\n1,2\n', 'the heading cannot be read: its field 2 goes on after its closing quote'],
])('%j cannot be read on', async (text, what) => {
  for (const length of CUTS) await expect(read(text, length)).rejects.toThrow(new Failure(what, ''))
})

test('rows before the one in which a quote is not closed are read', async () => {
  const { rows } = await readRows(pieces('a,b\n1,2\n3,"4\n', 4), {
    name: 'csv',
    separator: ',',
    quotes: true,
  })
  expect((await rows.next()).value).toMatchObject({ number: 1, texts: ['1', '2'] })
  await expect(rows.next()).rejects.toThrow(Failure)
})

test('a row of more than 16 MiB is not waited for', async () => {
  async function* endless(): AsyncGenerator<string> {
    yield 'a,b\n1,"'
    for (;;) yield 'x'.repeat(1024 * 1024)
  }
  const { rows } = await readRows(endless(), { name: 'csv', separator: ',', quotes: true })
  await expect(rows.next()).rejects.toThrow('row 1 is longer than 16 MiB')
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
