/** A form for the four sides of an area, for keyboard users and for exact numbers. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { NumberField, textIn } from '../chart/range-form.tsx'
import { conditionOf, type Pair } from './area.ts'

interface AreaFormProps {
  readonly pair: Pair
  readonly onNarrow: (condition: string) => void
}

export function AreaForm({ pair, onNarrow }: AreaFormProps): JSX.Element {
  const [wrong, setWrong] = useState('')
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const [south, north] = [textIn(fields, 'south'), textIn(fields, 'north')]
    const [west, east] = [textIn(fields, 'west'), textIn(fields, 'east')]
    const isReversed = south !== '' && north !== '' && Number(south) > Number(north)
    setWrong(isReversed ? 'The northern side is south of the southern one.' : '')
    const condition = conditionOf(pair, { south, north, west, east })
    if (!isReversed && condition !== '') onNarrow(condition)
  }
  return (
    <details class="places">
      <summary>Choose an area by numbers</summary>
      <form class="area" onSubmit={submit}>
        <span>Latitude</span>
        <NumberField name="south" label="Latitude, from (south)" placeholder="south" />
        <NumberField name="north" label="Latitude, to (north)" placeholder="north" />
        <span>Longitude</span>
        <NumberField name="west" label="Longitude, from (west)" placeholder="west" />
        <NumberField name="east" label="Longitude, to (east)" placeholder="east" />
        <button type="submit">Keep these</button>
      </form>
      <p class="hint" role="status">
        {wrong ||
          'Degrees; south and west are negative. West of 170 to east of -170 is across the antimeridian.'}
      </p>
    </details>
  )
}
