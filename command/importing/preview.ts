/** Shows before an import what the import will do. */
import { visible, type Cell } from '../../common/values.ts'
import { Table } from '../terminal/table.ts'
import { tell, terminalWidth } from '../terminal/terminal.ts'
import { targetOf } from '../../common/importing/converting.ts'
import { encodingName } from '../../common/importing/encodings.ts'
import { textOfField, type Field } from '../../common/importing/fields.ts'
import { formatName } from '../../common/importing/formats.ts'
import { columnsOf, type Column, type Mapping, type Written } from '../../common/importing/mapping.ts'
import { leftOut, type Sample } from '../../common/importing/sampling.ts'
import { storedJson } from '../../common/importing/stored-values.ts'
import { typedName } from '../../common/importing/typed-columns.ts'
import type { Tally } from '../../common/importing/tally.ts'
import { TYPE_NAMES } from '../../common/importing/types.ts'

/** Shows the columns, their tags and types, the reasons for these, and the first values. */
export function showPreview(name: string, sample: Sample, mapping: Mapping): void {
  const notes: string[] = []
  const rows = mapping.columns.map((column) =>
    rowOf(column, sample.tallies.get(column.column), mapping, notes),
  )
  const table = new Table(['column', 'tag', 'type', 'first values'], rows, terminalWidth() - 2)
  tell(visible(`${name}: ${formatName(mapping.format)}, ${encodingName(mapping.encoding)}`))
  for (const note of notesOn(sample, mapping)) tell(visible(note))
  tell(visible(objectLine(sample, mapping)))
  tell('')
  for (const line of [table.heading(process.stderr), ...rows.map((row) => table.row(row))]) tell(`  ${line}`)
  const isPart = !sample.isWhole
  if (notes.length > 0 || isPart) tell('')
  for (const note of notes) tell(`  ${visible(note)}`)
  const count = sample.rows.length.toLocaleString('en')
  if (isPart)
    tell(`  The types are those of the first ${count} rows. What does not fit them later is refused.`)
}

/** What the user should know about the file and about columns that are left out unasked. */
const notesOn = (sample: Sample, { columns, object }: Mapping): string[] => [
  ...sample.notes,
  ...columns.flatMap((one) => ('skip' in one ? (leftOut(one.column, sample, object) ?? []) : [])),
]

function objectLine({ rows }: Sample, mapping: Mapping): string {
  if ('id' in mapping.object) return `id of the object: {${mapping.object.id}}`
  const targets = rows.map((row) => targetOf(mapping.object, row))
  const example = targets.find((target) => 'about' in target)
  const about = example === undefined ? '' : `, such as ${JSON.stringify(example.about)}`
  return `about value: ${mapping.object.about}${about}`
}

function rowOf(column: Column, tally: Tally | undefined, mapping: Mapping, notes: string[]): Cell[] {
  if ('skip' in column) {
    const names = columnsOf(mapping.object).includes(column.column)
    return [
      column.column,
      names ? '(names the object)' : '(left out)',
      '',
      valuesOf(tally, undefined, mapping),
    ]
  }
  const { type: found, notes: why } = tally?.found() ?? { type: undefined, notes: [] }
  let text = column.type === 'file' ? column['media-type'] : TYPE_NAMES[column.type]
  if (why.length > 0 && found === column.type && typedName(column.column) === undefined) {
    notes.push(`${mark(notes.length + 1)} ${why.join('; ')}`)
    text += ` (${mark(notes.length)})`
  }
  return [column.column, column.tag, `${text}${emptyOf(tally, mapping)}`, valuesOf(tally, column, mapping)]
}

function emptyOf(tally: Tally | undefined, { format }: Mapping): string {
  if (tally === undefined || tally.empty === 0) return ''
  return `, ${tally.empty.toLocaleString('en')} ${format.name === 'csv' ? 'empty' : 'null'}`
}

const DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** The number of a footnote. */
const mark = (number: number): string => [...String(number)].map((digit) => DIGITS[Number(digit)]).join('')

const LONGEST = 60

const valuesOf = (tally: Tally | undefined, column: Written | undefined, mapping: Mapping): string =>
  (tally?.first ?? []).map((field) => valueOf(field, column, mapping)).join('  ')

/** A value as it will be stored, or a field that will not be. */
function valueOf(field: Field, column: Written | undefined, mapping: Mapping): string {
  const stored =
    column === undefined || column.type === 'file' ? undefined : storedJson(column, field, mapping)
  if (typeof stored === 'string') return shortened(stored)
  return typeof field === 'string' ? JSON.stringify(shortened(field)) : shortened(textOfField(field))
}

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)
