/** Shows and changes the plan for each column. */
import type { JSX } from 'preact'
import { isNumber, visible, type Cell } from '../../../common/values.ts'
import { textOfField, type Field } from '../../../common/importing/fields.ts'
import type { Mapping } from '../../../common/importing/mapping.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { shownText } from '../../../common/importing/stored-values.ts'
import { TYPE_NAMES } from '../../../common/importing/types.ts'
import { short } from '../parts/short.ts'
import type { ColumnType, Plan } from './choices.ts'
import { sentence } from './flaw.tsx'
import { chooseColumn } from './open.ts'

const TYPES: readonly ColumnType[] = ['boolean', 'int', 'float', 'string', 'list']

interface ColumnsProps {
  readonly sample: Sample
  readonly plans: readonly Plan[]
  readonly mapping: Mapping
}

export function Columns({ sample, plans, mapping }: ColumnsProps): JSX.Element {
  const types = sample.format.name === 'csv' ? TYPES : [...TYPES, 'any' as const]
  return (
    <section>
      <h2 id="columns">What becomes of the columns</h2>
      <div class="wide" role="region" aria-labelledby="columns" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Becomes</th>
              <th scope="col">Tag</th>
              <th scope="col">First values</th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <ColumnRow key={plan.column} plan={plan} sample={sample} mapping={mapping} types={types} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface RowProps {
  readonly plan: Plan
  readonly sample: Sample
  readonly mapping: Mapping
  readonly types: readonly ColumnType[]
}

function ColumnRow({ plan, sample, mapping, types }: RowProps): JSX.Element {
  const { column, type, tag, notes, flaw } = plan
  const shown = visible(column)
  return (
    <tr class={type === 'skip' ? 'left-out' : undefined}>
      <th scope="row">{shown}</th>
      <td>
        <select
          aria-label={`Type of ${shown}`}
          value={type}
          onChange={(event) =>
            chooseColumn(column, { type: event.currentTarget.value as Plan['type'], texts: undefined })
          }
        >
          {types.map((one) => (
            <option key={one} value={one}>
              {TYPE_NAMES[one]}
            </option>
          ))}
          <option value="skip">left out</option>
        </select>
        {notes.length > 0 && <p class="hint">{sentence(notes.join('; '))}</p>}
      </td>
      <td>
        {type !== 'skip' && (
          <>
            <input
              class="code"
              aria-label={`Tag of ${shown}`}
              aria-invalid={flaw !== undefined}
              value={tag}
              spellcheck={false}
              autocapitalize="none"
              onInput={(event) => chooseColumn(column, { tag: event.currentTarget.value })}
            />
            {flaw !== undefined && <p class="flaw">{sentence(flaw)}</p>}
          </>
        )}
      </td>
      <td class="examples">
        {(sample.tallies.get(column)?.first ?? []).map((field, index) => (
          <span key={index} class={isNumber(field as Cell) ? 'number' : undefined}>
            {short(visible(storedText(field, plan, mapping)), LONGEST)}
          </span>
        ))}
      </td>
    </tr>
  )
}

const storedText = (field: Field, { type, ...column }: Plan, mapping: Mapping): string =>
  type === 'skip' ? textOfField(field) : shownText({ ...column, ...column.texts, type }, field, mapping)

/** The most characters of a value. */
export const LONGEST = 40
