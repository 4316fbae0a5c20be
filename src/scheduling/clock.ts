/** The system's clock in microseconds. A process has one, which the module keeps. */

/** When this process began, in milliseconds since 1970, as the system's clock says it now. */
let origin = performance.timeOrigin
/** How far the system's clock may differ before it counts as set, in milliseconds: a busy machine may pause between two looks. */
const SET_MS = 100

/** The time of the system's clock, which may be set, in microseconds since 1970. */
export function microsecondsNow(): number {
  const sinceStart = performance.now()
  const ahead = Date.now() - origin - sinceStart
  if (Math.abs(ahead) > SET_MS) origin += ahead
  return Math.floor((origin + sinceStart) * 1000)
}
