/** What can wait. */

/** Milliseconds after which it waits no longer. */
const LATEST = 1000

/** Does something when the page has nothing else to do. Returns what takes that back. */
export function whenIdle(work: () => void): () => void {
  // Safari does not say when that is.
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(work, LATEST)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(work, { timeout: LATEST })
  return () => cancelIdleCallback(handle)
}
