/** Shows the first rows, with their objects and errors. */
import type { JSX } from 'preact'
import { targetOf } from '../../../common/importing/converting.ts'
import { textOfField, type Row } from '../../../common/importing/fields.ts'
import { writtenIn, type Mapping, type Written } from '../../../common/importing/mapping.ts'
import { Refusal } from '../../../common/importing/refusals.ts'
import { shownText } from '../../../common/importing/stored-values.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { visible } from '../../../common/values.ts'
import { short } from '../parts/short.ts'
import { LONGEST } from './columns.tsx'
import { convert, FIRST } from './trial.ts'

export function FirstRows({ sample, mapping }: { sample: Sample; mapping: Mapping }): JSX.Element {
  const rows = sample.rows.slice(0, FIRST)
  const reasons = new Map(convert(rows, mapping).refused.map(({ row, reason }) => [row, reason]))
  const columns = writtenIn(mapping)
  return (
    <section>
      <h2 id="first-rows">{rows.length === 1 ? 'The row' : `The first ${rows.length} rows`}</h2>
      <div class="wide tall" role="region" aria-labelledby="first-rows" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Row</th>
              <th scope="col">Object</th>
              {columns.map(({ column, tag }) => (
                <th scope="col" key={column}>
                  {visible(tag.slice(tag.lastIndexOf('/') + 1))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.number} class={reasons.has(row) ? 'refused' : undefined}>
                <td>{row.number.toLocaleString('en')}</td>
                <th scope="row">
                  {objectName(row, mapping)}
                  {reasons.has(row) && <p class="flaw">Refused: {visible(reasons.get(row) ?? '')}</p>}
                </th>
                {columns.map((column) => (
                  <td key={column.column}>{short(visible(textOf(row, column, mapping)), LONGEST)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function textOf(row: Row, column: Written, mapping: Mapping): string {
  const field = row.fields.get(column.column)
  return column.type === 'file' ? textOfField(field) : shownText(column, field, mapping)
}

function objectName(row: Row, { object }: Mapping): string {
  const target = targetOf(object, row)
  if (target instanceof Refusal) return 'none'
  return short(visible('id' in target ? target.id : target.about), LONGEST)
}
