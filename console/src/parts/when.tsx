/** When something was written: how long ago, with the exact time on hovering. */
import type { JSX } from 'preact'
import { ago, exactTime } from './ago.ts'

export const When = ({ at }: { at: string }): JSX.Element => (
  <time dateTime={at} title={exactTime(at)}>
    {ago(Date.parse(at), Date.now())}
  </time>
)
