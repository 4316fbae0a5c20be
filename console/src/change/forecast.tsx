/** Shows the effects of a change of many objects, in words and with examples. */
import type { JSX } from 'preact'
import { objects } from '../../../common/changing/change.ts'
import { isNumber, visible } from '../../../common/values.ts'
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
        <strong>{objects(count)}</strong> {doesOf(change, count)} the tag.
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

/** Describes the change of the objects. */
const doesOf = ({ value }: Change, count: number): string =>
  `${value === undefined ? 'lose' : 'get'}${count === 1 ? 's' : ''}`

interface Loss {
  readonly text: string
  readonly isLoss: boolean
}

/** Describes the values that the change deletes. */
function lossOf(change: Change, { count, present, same }: Before): Loss {
  const isOne = count === 1
  if (change.value === undefined)
    return { text: isOne ? 'Its value is lost.' : 'Their values of it are lost.', isLoss: true }
  if (present === undefined)
    return {
      text: 'You may not read this tag, so nobody tells how many have it already and lose their value.',
      isLoss: true,
    }
  if (present === 0)
    return {
      text: `${isOne ? 'It does not have' : 'None of them has'} this tag, so no value is lost.`,
      isLoss: false,
    }
  return overwritten(isNumber(change.value), { count, present, same })
}

/** Describes the lost values if there are any. */
function overwritten(
  ofNumber: boolean,
  { count, present, same }: { count: number; present: number; same: number | undefined },
): Loss {
  const have = `${whoOf(count, present)} it already`
  const isOne = present === 1
  if (same === undefined)
    return {
      text: `${have}, and ${isOne ? 'loses the value that it has' : 'lose the values that they have'}.`,
      isLoss: true,
    }
  // The operator `=` treats 5 and 5.0 as equal.
  const equal = ofNumber ? 'an equal number, whose type may change' : 'an equal value'
  const lost = present - same
  if (lost === 0) return { text: `${have}, with ${equal}.`, isLoss: false }
  if (lost === present)
    return {
      text: `${have}, with ${isOne ? 'another value, which is' : 'other values, which are'} lost.`,
      isLoss: true,
    }
  const others = lost === 1 ? 'another value, which is' : 'other values, which are'
  const rest = `${same.toLocaleString('en')} with ${equal}`
  return { text: `${have}: ${lost.toLocaleString('en')} with ${others} lost, and ${rest}.`, isLoss: true }
}

/** The number of objects with the tag: `All of them have`, `1 of them has`. */
function whoOf(count: number, present: number): string {
  if (count === 1) return 'It has'
  const some = present === count ? 'All' : present.toLocaleString('en')
  return `${some} of them ${present === 1 ? 'has' : 'have'}`
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
