/** Samples a file before an import. */
import { encodingOf, type Encoding } from '../../../common/importing/encodings.ts'
import { formatOf, type Format } from '../../../common/importing/formats.ts'
import { firstOf, talliesOf, type Sample } from '../../../common/importing/sampling.ts'
import type { Reading } from '../../../common/importing/tally.ts'
import { Failure } from '../../../common/failure.ts'
import { readRows } from '../../../common/importing/rows.ts'
import { headOf, readTexts } from './source.ts'

/** The user's settings for reading a file. */
export interface Given {
  readonly encoding?: Encoding | undefined
  readonly format?: Format | undefined
  /** How the texts are read as values. */
  readonly reading?: Reading | undefined
}

/** Reads the first rows with detected or given settings. Throws a `Failure` if there are none. */
export async function sampleOf(file: File, given: Given = {}): Promise<Sample> {
  const head = await headOf(file)
  const encoding = given.encoding ?? encodingOf(head)
  const format = given.format ?? formatOf(file.name, new TextDecoder(encoding).decode(head))
  const { heading, rows } = await readRows(readTexts(file, encoding).texts, format)
  const { first, isWhole } = await firstOf(rows)
  await rows.return(undefined)
  const hasCommas = format.name === 'csv' && format.separator === ','
  const tallies = talliesOf(heading, first, { ...given.reading, hasCommas })
  if (first.length > 0 && tallies.size > 0) return { format, encoding, tallies, rows: first, isWhole }
  throw new Failure(`there are no rows in ${file.name}`, 'CSV needs a heading and at least one row')
}
