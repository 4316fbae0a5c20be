/** Selects the scale of an axis. */
import type { JSX } from 'preact'
import { go, hrefWith } from '../route.ts'
import type { Scale } from './scale.ts'

interface ScaleSelectProps {
  readonly label: string
  /** The argument in the URL. */
  readonly name: string
  readonly scale: Scale
}

export const ScaleSelect = ({ label, name, scale }: ScaleSelectProps): JSX.Element => (
  <label>
    {label}
    <select value={scale} onChange={(event) => go(hrefWith({ [name]: event.currentTarget.value }))}>
      <option>linear</option>
      <option>logarithmic</option>
    </select>
  </label>
)
