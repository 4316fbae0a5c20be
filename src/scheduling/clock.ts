/** The system's clock in microseconds. This module keeps one clock for each process. */

/** When this process began, in milliseconds since 1970, by the present setting of the system's clock. */
let origin = performance.timeOrigin
/** A larger difference means that the system's clock was set, in milliseconds: a busy machine may pause between two reads. */
const SET_MS = 100

/** The time of the system's clock, in microseconds since 1970; it follows changes of the clock. */
export function microsecondsNow(): number {
  const sinceStart = performance.now()
  const ahead = Date.now() - origin - sinceStart
  if (Math.abs(ahead) > SET_MS) origin += ahead
  return Math.floor((origin + sinceStart) * 1000)
}
