/** The current file of an import, and the choices for it. They remain while the user visits other pages. */
import { batch, signal, type ReadonlySignal } from '@preact/signals'
import type { Given } from '../../../common/importing/detection.ts'
import { flawOf, type Mapping } from '../../../common/importing/mapping.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { Failure } from '../../../common/failure.ts'
import { onOtherUser } from '../parts/other-user.ts'
import { user } from '../service/service.ts'
import { choicesOf, firstChoices, readingOf, type Choice, type Choices } from './choices.ts'
import { sampleOf } from './sample.ts'

/** A file, and its first rows. */
export interface Opened {
  readonly file: File
  readonly sample: Sample
}

const shown = signal<Opened | undefined>()
const chosen = signal<Choices | undefined>()
const reading = signal<string | undefined>()
const failed = signal<unknown>()

/** The file; undefined if there is none. */
export const opened: ReadonlySignal<Opened | undefined> = shown
/** The choices for the file. */
export const choices: ReadonlySignal<Choices | undefined> = chosen
/** The name of the file that the page is reading. */
export const opening: ReadonlySignal<string | undefined> = reading
/** The error from reading a file. */
export const problem: ReadonlySignal<unknown> = failed

/** Reads a file, and sets the initial choices. */
export const openFile = (file: File, owner: string): Promise<void> =>
  attempt(file.name, async () => {
    const sample = await sampleOf(file)
    return () => {
      shown.value = { file, sample }
      chosen.value = firstChoices(sample, file.name, owner)
    }
  })

/** Reads the file again with other settings and choices. */
export async function reread(given: Given = {}): Promise<void> {
  const { file, sample } = shown.peek() ?? {}
  const choices = chosen.peek()
  if (file === undefined || choices === undefined) return
  await attempt(file.name, async () => {
    const { encoding, format } = sample ?? {}
    const again = await sampleOf(file, { encoding, format, ...given }, readingOf(choices))
    return () => {
      shown.value = { file, sample: again }
    }
  })
}

/** Loads the choices from a mapping. */
export const openMapping = (mapping: File): Promise<void> =>
  attempt(mapping.name, async () => {
    const { file } = shown.peek() ?? {}
    const before = chosen.peek()
    if (file === undefined || before === undefined) return () => undefined
    const read = mappingIn(await mapping.text(), mapping.name)
    const { encoding, format, columns } = read
    const sample = await sampleOf(file, { encoding, format }, { separator: read['list-separator'] })
    const stranger = columns.find(({ column }) => !sample.tallies.has(column))
    // A JSON row may lack columns.
    if (stranger !== undefined && format.name === 'csv') {
      throw new Failure(
        `${mapping.name} has a column '${stranger.column}', which ${file.name} does not have`,
        'choose the mapping of this file',
      )
    }
    return () => {
      shown.value = { file, sample }
      chosen.value = choicesOf(read, before.namespace)
    }
  })

function mappingIn(text: string, name: string): Mapping {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure(`${name} is no mapping`, 'choose a file that was saved here, or by gloss import --save')
  }
  const flaw = flawOf(value)
  if (flaw !== undefined)
    throw new Failure(`${name} is no mapping: ${flaw}`, 'correct it, or choose another one')
  return value as Mapping
}

/** Changes choices. */
export function choose(changes: Partial<Choices>): void {
  if (chosen.value !== undefined) chosen.value = { ...chosen.value, ...changes }
}

/** Changes the choice for a column. */
export function chooseColumn(column: string, choice: Choice): void {
  const { columns = new Map<string, Choice>() } = chosen.value ?? {}
  choose({ columns: new Map([...columns, [column, { ...columns.get(column), ...choice }]]) })
}

/** Closes the file. */
export function close(): void {
  batch(() => {
    shown.value = undefined
    chosen.value = undefined
    failed.value = undefined
  })
}

onOtherUser(() => {
  close()
  reading.value = undefined
})

/** Reads something, and shows it. The current state remains if that fails, or if another user has signed in meanwhile. */
async function attempt(name: string, read: () => Promise<() => void>): Promise<void> {
  const asks = user.peek()?.name
  const show = (change: () => void): void => {
    if (user.peek()?.name === asks) batch(change)
  }
  batch(() => {
    failed.value = undefined
    reading.value = name
  })
  try {
    show(await read())
  } catch (error) {
    show(() => {
      failed.value = error
    })
  } finally {
    show(() => {
      reading.value = undefined
    })
  }
}
