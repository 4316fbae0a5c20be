/** Samples a file before an import. */
import type { Given } from '../../../common/importing/detection.ts'
import { sampleOf as firstRows, type Sample } from '../../../common/importing/sampling.ts'
import type { Reading } from '../../../common/importing/tally.ts'
import { Failure } from '../../../common/failure.ts'
import { headOf, readTexts } from './source.ts'

/** Reads the first rows with detected or given settings. Throws a `Failure` if there are none. */
export async function sampleOf(file: File, given: Given = {}, reading: Reading = {}): Promise<Sample> {
  const texts = (encoding: string): AsyncGenerator<string> => readTexts(file, encoding).texts
  const { rows, sample } = await firstRows(
    { file: file.name, head: await headOf(file), texts },
    given,
    reading,
  )
  await rows.return(undefined)
  if (sample.rows.length > 0 && sample.tallies.size > 0) return sample
  throw new Failure(`there are no rows in ${file.name}`, 'CSV needs a heading and at least one row')
}
