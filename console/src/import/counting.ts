/** Counts the objects of all rows of a file. */
import { useEffect, useState } from 'preact/hooks'
import type { Mapping } from '../../../common/importing/mapping.ts'
import { objectsIn, type Objects } from '../../../common/importing/objects.ts'
import { readRows } from '../../../common/importing/rows.ts'
import type { Row } from '../../../common/importing/fields.ts'
import type { Opened } from './open.ts'
import { readTexts } from './source.ts'

/** The milliseconds after the last change of the about value, until which the page does not read the file again. */
const PAUSE = 300

/** The objects of a file, or the error in it; neither while the page counts. */
export interface Counted {
  readonly objects?: Objects
  readonly error?: unknown
}

/** Hook: counts the objects of all rows, anew after a change of their names or of the way to read the file. */
export function useObjects({ file, sample }: Opened, mapping: Mapping): Counted {
  const [latest, setLatest] = useState<Counted & { readonly of: string; readonly file: File }>()
  const { object, format, encoding } = mapping
  const of = JSON.stringify([object, format, encoding])
  useEffect(() => {
    const outdated = new AbortController()
    const { signal } = outdated
    const show = (counted: Counted): void => {
      if (!signal.aborted) setLatest({ ...counted, of, file })
    }
    const count = async (): Promise<Objects> => {
      if (sample.isWhole) return objectsIn(sample.rows, object)
      const { rows } = await readRows(readTexts(file, encoding).texts, format)
      return objectsIn(until(signal, rows), object)
    }
    const start = (): void => {
      count().then(
        (objects) => show({ objects }),
        (error: unknown) => show({ error }),
      )
    }
    const timer = setTimeout(start, sample.isWhole ? 0 : PAUSE)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [file, sample, of])
  return latest?.of === of && latest.file === file ? latest : {}
}

async function* until(signal: AbortSignal, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) {
    if (signal.aborted) return
    yield row
  }
}
