/** Shows the age of a value, with the exact time on hovering. */
import type { JSX } from 'preact'
import { ago, exactTime } from './ago.ts'

export const When = ({ at }: { at: string }): JSX.Element => (
  <time dateTime={at} title={exactTime(at)}>
    {ago(Date.parse(at), Date.now())}
  </time>
)
