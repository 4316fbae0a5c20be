/** What a change of many objects would do, in words and by examples. */
import type { JSX } from 'preact'
import { objects } from '../../../command/changing/change.ts'
import { visible } from '../../../command/manners/cells.ts'
import { Value } from '../parts/value.tsx'
import type { Before, Change } from './plan.ts'

export function Forecast({ change, before }: { change: Change; before: Before }): JSX.Element {
  const { count, isNew, undo } = before
  if (count === 0)
    return (
      <p>
        {change.value === undefined ? 'None of them has this tag.' : 'The query matches nothing any more.'}
      </p>
    )
  const loss = lossOf(change, before)
  return (
    <>
      <p>
        <strong>{objects(count)}</strong> {count === 1 ? 'gets' : 'get'}{' '}
        {change.value === undefined ? 'rid of it' : 'it'}.
        {isNew && ' The tag does not exist yet, and will be made.'}
      </p>
      <p class={loss.isLoss ? 'warned' : undefined}>{loss.text}</p>
      <Examples change={change} before={before} />
      <p class="hint">
        {undo === undefined
          ? 'This cannot be undone.'
          : `You can undo this for 30 seconds${isNew ? '; the new tag stays, without values' : ''}.`}
      </p>
    </>
  )
}

/** What is lost. */
function lossOf({ value }: Change, { count, present, same }: Before): { text: string; isLoss: boolean } {
  if (value === undefined) return { text: 'Their values of it are lost.', isLoss: true }
  if (present === undefined)
    return {
      text: 'You may not read this tag, so nobody tells how many have it already and lose their value.',
      isLoss: true,
    }
  if (present === 0) return { text: 'None of them has this tag, so no value is lost.', isLoss: false }
  const have = `${present === count ? 'All' : present.toLocaleString('en')} of them ${present === 1 ? 'has' : 'have'} it already`
  if (same === undefined) return { text: `${have}, and lose the value that they have.`, isLoss: true }
  const lost = present - same
  if (lost === 0) return { text: `${have}, with an equal value.`, isLoss: false }
  return {
    text: `${have}: ${lost.toLocaleString('en')} with another value, which ${lost === 1 ? 'is' : 'are'} lost.`,
    isLoss: true,
  }
}

function Examples({ change: { tag, value }, before }: { change: Change; before: Before }): JSX.Element {
  return (
    <div class="examples" role="region" aria-label="Examples" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Object</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {before.examples.map(({ id, about, values }) => (
            <tr key={id}>
              <th scope="row">{visible(about ?? id)}</th>
              <td>
                {before.present === undefined ? 'not to be read' : <ValueOrNothing cell={values[tag]} />}
              </td>
              <td>
                <ValueOrNothing cell={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ValueOrNothing = ({ cell }: { cell: Change['value'] }): JSX.Element =>
  cell === undefined ? <span class="hint">nothing</span> : <Value cell={cell} />
