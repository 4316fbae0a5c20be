/** Chooses the object of a row and the namespace of its tags. */
import type { JSX } from 'preact'
import { targetOf } from '../../../common/importing/converting.ts'
import {
  columnsOf,
  ON_REPEAT,
  type Mapping,
  type Naming,
  type OnRepeat,
} from '../../../common/importing/mapping.ts'
import type { Objects } from '../../../common/importing/objects.ts'
import { REPEAT_NAMES, repeatsText } from '../../../common/importing/repeats.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { visible } from '../../../common/values.ts'
import { Field } from '../parts/field.tsx'
import type { Choices } from './choices.ts'
import { sentence } from './flaw.tsx'
import { HowRead } from './how-read.tsx'
import { choose } from './open.ts'

interface ReadingProps {
  readonly file: File
  readonly sample: Sample
  readonly choices: Choices
  readonly mapping: Mapping
  /** Undefined while the page counts them. */
  readonly objects: Objects | undefined
  readonly flaw: string | undefined
}

export function Reading({ file, sample, choices, mapping, objects, flaw }: ReadingProps): JSX.Element {
  return (
    <>
      <section class="fields" aria-label="What the rows are about">
        <ObjectFields sample={sample} object={choices.object} objects={objects} flaw={flaw} />
        {objects !== undefined && objects.rows > objects.count && <RepeatField choice={choices.onRepeat} />}
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

const RepeatField = ({ choice }: { choice: OnRepeat | undefined }): JSX.Element => (
  <Field
    label="Rows about the same object"
    flaw={choice === undefined ? 'Choose what becomes of them.' : undefined}
  >
    {(of) => (
      <select
        {...of}
        value={choice ?? ''}
        onChange={({ currentTarget: { value } }) =>
          choose({ onRepeat: ON_REPEAT.find((one) => one === value) })
        }
      >
        <option value="">choose …</option>
        {ON_REPEAT.map((one) => (
          <option key={one} value={one}>
            {REPEAT_NAMES[one]}
          </option>
        ))}
      </select>
    )}
  </Field>
)

interface ObjectProps {
  readonly sample: Sample
  readonly object: Naming
  readonly flaw: string | undefined
}

interface ObjectsProps extends ObjectProps {
  readonly objects: Objects | undefined
}

function ObjectFields({ sample, object, objects, flaw }: ObjectsProps): JSX.Element {
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
      <Field label="Column that names it" hint={uniqueness(objects)}>
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

/** Tells whether the rows have different objects. */
function uniqueness(objects: Objects | undefined): string {
  if (objects === undefined) return 'Counting …'
  const { nameless } = objects
  const missing = nameless === 0 ? '' : ` ${nameless.toLocaleString('en')} without one.`
  return `${repeatsText(objects) ?? 'Different in all rows'}.${missing}`
}

function exampleOf({ rows }: Sample, object: Naming): string {
  const targets = rows.map((row) => targetOf(object, row))
  const example = targets.find((target) => 'about' in target)
  return example === undefined ? '' : `Such as ${visible(example.about)}`
}
