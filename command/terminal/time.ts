/** Formats times for tables. */
import { formatOf, type OutputOptions } from './output.ts'

/** Formats a time of the service (RFC 3339, UTC): short and in local time in a table, otherwise unchanged. */
export function timeCell(time: string, options: OutputOptions): string {
  if (formatOf(options) !== 'table') return time
  const date = new Date(time)
  const two = (number: number): string => String(number).padStart(2, '0')
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return date.getFullYear() === new Date().getFullYear()
    ? `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
    : `${String(date.getFullYear())}-${day}`
}
