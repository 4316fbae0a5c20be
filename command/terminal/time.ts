/** Times as tables show them. */
import { formatOf, type OutputOptions } from './output.ts'

/** A time of the service (RFC 3339, UTC): short and by the clock of this machine in a table, else unchanged. */
export function timeCell(time: string, options: OutputOptions): string {
  if (formatOf(options) !== 'table') return time
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return date.getFullYear() === new Date().getFullYear()
    ? `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
    : `${String(date.getFullYear())}-${day}`
}
