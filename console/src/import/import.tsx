/** The import page: it writes rows of a file as values on objects. */
import type { JSX } from 'preact'
import { openDialog } from '../parts/dialogs.ts'
import { user } from '../service/service.ts'
import { Choose } from './choose.tsx'
import { useObjects } from './counting.ts'
import { Columns } from './columns.tsx'
import { FirstRows } from './first-rows.tsx'
import { Flaw } from './flaw.tsx'
import './import.css'
import { choices, close, opened, opening, problem, type Opened } from './open.ts'
import { plansOf, flawOfObject, mappingOf, type Choices } from './choices.ts'
import { Reading } from './reading.tsx'
import { Running } from './running.tsx'
import { run } from './run.ts'
import { Send } from './send.tsx'

export default function Import(): JSX.Element {
  const name = user.value?.name
  return (
    <div class="import">
      <h1>Import</h1>
      {run.value !== undefined ? (
        <Running run={run.value} />
      ) : name === undefined ? (
        <NobodyYet />
      ) : opened.value === undefined || choices.value === undefined ? (
        <>
          <Choose key={name} user={name} />
          <Flaw error={problem.value} />
        </>
      ) : (
        <Prepare opened={opened.value} choices={choices.value} user={name} />
      )}
      {opening.value !== undefined && <p class="waiting">Reading {opening.value} …</p>}
    </div>
  )
}

const NobodyYet = (): JSX.Element => (
  <div class="notice">
    <p>Importing needs a user: tags are made in a namespace, and only its owner may do that.</p>
    <p class="actions">
      <button type="button" class="main" onClick={() => openDialog('sign-in')}>
        Sign in to import
      </button>
    </p>
  </div>
)

interface PrepareProps {
  readonly opened: Opened
  readonly choices: Choices
  readonly user: string
}

function Prepare({ opened: shown, choices: chosen, user: name }: PrepareProps): JSX.Element {
  const { file, sample } = shown
  const plans = plansOf(sample, chosen, name)
  const mapping = mappingOf(sample, chosen, plans)
  const flaw = flawOfObject(sample, chosen.object)
  const { objects, error } = useObjects(shown, mapping)
  const isReady = flaw === undefined && plans.every((plan) => plan.flaw === undefined)
  return (
    <>
      <div class="actions file">
        <strong>{file.name}</strong>
        <span class="hint">{sizeOf(file.size)}</span>
        <button type="button" onClick={close}>
          Choose another file
        </button>
      </div>
      <Flaw error={problem.value ?? error} />
      <Reading {...{ file, sample, mapping, objects, flaw }} choices={chosen} />
      <Columns sample={sample} plans={plans} mapping={mapping} />
      <Send {...{ file, sample, mapping, objects, isReady }} />
      {isReady && <FirstRows sample={sample} mapping={mapping} />}
    </>
  )
}

const UNITS = ['bytes', 'kB', 'MB', 'GB']

/** Formats a size. */
function sizeOf(octets: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, octets)) / 3))
  const number = (octets / 1000 ** power).toLocaleString('en', { maximumFractionDigits: 1 })
  return `${number} ${UNITS[power] ?? ''}`
}
