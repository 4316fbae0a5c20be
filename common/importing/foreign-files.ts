/** Recognizes files that have no rows as text, by their first octets. */
import { Failure } from '../failure.ts'

const octets = (text: string): number[] => [...text].map((character) => character.charCodeAt(0))

const SPREADSHEET = 'save it as CSV (UTF-8) in the program that wrote it, and import that'
const DUCKDB = `convert it to CSV, such as with duckdb -c "COPY 'FILE' TO 'rows.csv'"`
const UNPACK = 'unpack it, and import the file that was in it'
const NONE = 'export its rows as CSV or JSON, and import those'

/** First octets, what the file is, and what to do. */
const SIGNATURES: readonly (readonly [string, string, string])[] = [
  ['\xd0\xcf\x11\xe0', 'an old document of Office, such as a spreadsheet (XLS)', SPREADSHEET],
  ['PAR1', 'Parquet', DUCKDB],
  ['ARROW1', 'Arrow', DUCKDB],
  [
    'SQLite format 3\0',
    'a database of SQLite',
    'write its rows as CSV: sqlite3 -csv -header FILE "SELECT * FROM table"',
  ],
  ['%PDF', 'a PDF', NONE],
  ['\x89PNG', 'an image (PNG)', NONE],
  ['\xff\xd8\xff', 'an image (JPEG)', NONE],
  ['GIF8', 'an image (GIF)', NONE],
  ['RIFF', 'an image or a sound (RIFF)', NONE],
  ['\x1f\x8b', 'a file that was packed twice', UNPACK],
  ['BZh', 'a packed file (bzip2)', UNPACK],
  ['\xfd7zXZ', 'a packed file (XZ)', UNPACK],
  ['\x28\xb5\x2f\xfd', 'a packed file (Zstandard)', UNPACK],
  ["7z\xbc\xaf'\x1c", 'an archive (7z)', UNPACK],
  ['Rar!', 'an archive (RAR)', UNPACK],
  ['\x7fELF', 'a program', NONE],
]

const ZIPS: readonly (readonly [string, string, string])[] = [
  ['opendocument.spreadsheet', 'a spreadsheet (ODS)', SPREADSHEET],
  ['xl/', 'a spreadsheet (XLSX)', SPREADSHEET],
  ['word/', 'a text document (DOCX)', NONE],
  ['', 'an archive (ZIP)', UNPACK],
]

/** The failure for a file that is no text with rows; undefined if it may be one. */
export function foreignIn(head: Uint8Array): Failure | undefined {
  const found =
    head[0] === 0x50 && head[1] === 0x4b && head[2] === 3
      ? zipIn(head)
      : SIGNATURES.find(([signature]) => begins(head, signature))
  if (found !== undefined) return new Failure(`this is ${found[1]}`, found[2])
  const text = String.fromCharCode(...head.subarray(0, 512)).trimStart()
  if (/^(\xef\xbb\xbf)?<(!doctype html|html)/i.test(text))
    return new Failure(
      'this is a web page (HTML)',
      'download the data itself: the address may need a sign-in',
    )
  if (/^(\xef\xbb\xbf)?<\?xml/.test(text)) return new Failure('this is XML', NONE)
  return undefined
}

const begins = (head: Uint8Array, signature: string): boolean =>
  octets(signature).every((octet, index) => head[index] === octet)

function zipIn(head: Uint8Array): (typeof ZIPS)[number] | undefined {
  const names = new TextDecoder('latin1').decode(head)
  return ZIPS.find(([name]) => names.includes(name))
}
