/** Chooses the object of a row and the namespace of its tags. */
import type { JSX } from 'preact'
import { targetOf } from '../../../common/importing/converting.ts'
import { columnsOf, type Mapping, type Naming } from '../../../common/importing/mapping.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { visible } from '../../../common/values.ts'
import { Field } from '../parts/field.tsx'
import { repeatsOf, type Choices } from './choices.ts'
import { sentence } from './flaw.tsx'
import { HowRead } from './how-read.tsx'
import { choose } from './open.ts'

interface ReadingProps {
  readonly file: File
  readonly sample: Sample
  readonly choices: Choices
  readonly mapping: Mapping
  readonly flaw: string | undefined
}

export function Reading({ file, sample, choices, mapping, flaw }: ReadingProps): JSX.Element {
  return (
    <>
      <section class="fields" aria-label="What the rows are about">
        <ObjectFields sample={sample} object={choices.object} flaw={flaw} />
        <Field label="Namespace of the tags" hint="What is not there yet is made.">
          {(of) => (
            <input
              {...of}
              value={choices.namespace}
              spellcheck={false}
              autocapitalize="none"
              onInput={(event) => choose({ namespace: event.currentTarget.value })}
            />
          )}
        </Field>
      </section>
      <HowRead file={file} sample={sample} choices={choices} mapping={mapping} />
      {sample.notes.map((note) => (
        <p key={note} class="remark">
          {sentence(note)}
        </p>
      ))}
    </>
  )
}

interface ObjectProps {
  readonly sample: Sample
  readonly object: Naming
  readonly flaw: string | undefined
}

function ObjectFields({ sample, object, flaw }: ObjectProps): JSX.Element {
  const columns = [...sample.tallies.keys()]
  const [column = ''] = columnsOf(object)
  const prefix = 'about' in object ? object.about.replace(/\{[^]*/, '') : ''
  return (
    <>
      <Field label="The object of a row">
        {(of) => (
          <select
            {...of}
            value={'id' in object ? 'id' : 'about'}
            onChange={(event) =>
              choose({
                object: event.currentTarget.value === 'id' ? { id: column } : { about: `{${column}}` },
              })
            }
          >
            <option value="about">has this about value</option>
            <option value="id">has this id</option>
          </select>
        )}
      </Field>
      <Field label="Column that names it" hint={uniqueness(sample, object)}>
        {(of) => (
          <select
            {...of}
            value={columns.includes(column) ? column : ''}
            onChange={({ currentTarget: { value } }) =>
              choose({ object: 'id' in object ? { id: value } : { about: `${prefix}{${value}}` } })
            }
          >
            {columns.includes(column) || <option value="">none</option>}
            {columns.map((name) => (
              <option key={name} value={name}>
                {visible(name)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {'about' in object && <AboutField sample={sample} object={object} flaw={flaw} />}
    </>
  )
}

interface AboutProps extends ObjectProps {
  readonly object: Extract<Naming, { about: string }>
}

const AboutField = ({ sample, object, flaw }: AboutProps): JSX.Element => (
  <Field
    label="About value"
    hint={exampleOf(sample, object)}
    flaw={flaw === undefined ? undefined : sentence(flaw)}
  >
    {(of) => (
      <input
        {...of}
        class="code"
        value={object.about}
        spellcheck={false}
        autocapitalize="none"
        onInput={(event) => choose({ object: { about: event.currentTarget.value } })}
      />
    )}
  </Field>
)

/** Tells whether the first rows have different objects. */
function uniqueness({ rows, isWhole }: Sample, object: Naming): string {
  const { repeats, nameless } = repeatsOf(rows, object)
  const where = isWhole ? 'all rows' : `the first ${rows.length.toLocaleString('en')} rows`
  const missing = nameless === 0 ? '' : ` ${nameless.toLocaleString('en')} without one.`
  if (repeats === 0) return `Different in ${where}.${missing}`
  return `In ${where}, ${repeats.toLocaleString('en')} repeat an earlier one: the last row counts.${missing}`
}

function exampleOf({ rows }: Sample, object: Naming): string {
  const targets = rows.map((row) => targetOf(object, row))
  const example = targets.find((target) => 'about' in target)
  return example === undefined ? '' : `Such as ${visible(example.about)}`
}
