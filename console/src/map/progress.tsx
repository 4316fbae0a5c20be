/** Shows how many objects are already on the map. */
import type { JSX } from 'preact'
import type { Arriving } from './loading.ts'
import type { Loading } from './points.ts'

export function Progress({ arriving }: { arriving: Arriving }): JSX.Element {
  const { loading, isDone, error, stop, again } = arriving
  if (loading === undefined) {
    return <p class="hint">{error === undefined ? 'Counting latitudes …' : 'Nothing to show.'}</p>
  }
  return (
    <>
      <p class="hint" role="status">
        {howFar(loading, isDone)}
      </p>
      {!isDone && error === undefined && (
        <>
          <progress max={Math.max(1, loading.total)} value={loading.asked} aria-label="Objects loaded" />
          <button type="button" class="plain" onClick={stop}>
            Stop
          </button>
        </>
      )}
      {isDone && (
        <button type="button" class="plain" onClick={again}>
          Load again
        </button>
      )}
    </>
  )
}

function howFar({ points, total, asked }: Loading, isDone: boolean): string {
  const number = (some: number): string => some.toLocaleString('en')
  if (asked < total)
    return `${number(points.count)} of ${number(total)} objects on the map${isDone ? '.' : ' …'}`
  const missing = Math.max(0, total - points.count)
  const placed = `${number(points.count)} ${points.count === 1 ? 'object' : 'objects'} on the map.`
  return missing === 0
    ? placed
    : `${placed} ${number(missing)} with a latitude have no longitude, or one of no place on earth.`
}
