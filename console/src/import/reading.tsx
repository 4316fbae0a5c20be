/** How a file is read, which object a row is about, and where its tags go. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { targetOf } from '../../../command/importing/converting.ts'
import { ENCODING_NAMES, type Encoding } from '../../../command/importing/encodings.ts'
import { formatName, SEPARATOR_NAMES } from '../../../command/importing/formats.ts'
import { columnsOf, mappingText, type Mapping, type Naming } from '../../../command/importing/mapping.ts'
import { nameOf } from '../../../command/importing/refusals.ts'
import type { Sample } from '../../../command/importing/sampling.ts'
import { visible } from '../../../command/manners/cells.ts'
import { saveFile } from '../parts/save-file.ts'
import { repeatsOf, type Choices } from './choices.ts'
import { sentence } from './flaw.tsx'
import { choose, openMapping, reread } from './open.ts'

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
        <label>
          Namespace of the tags
          <input
            value={choices.namespace}
            spellcheck={false}
            autocapitalize="none"
            onInput={(event) => choose({ namespace: event.currentTarget.value })}
          />
          <span class="hint">What is not there yet is made.</span>
        </label>
      </section>
      <details>
        <summary>
          How it is read: {formatName(sample.format)}, {ENCODING_NAMES[sample.encoding]}
        </summary>
        <section class="fields" aria-label="How the file is read">
          <FormatFields sample={sample} />
          <ValueFields sample={sample} choices={choices} />
        </section>
        <MappingButtons file={file} mapping={mapping} />
      </details>
      {sample.encoding === 'windows-1252' && (
        <p class="remark">
          This is not UTF-8, so it is read as Windows-1252. Look at the letters below: if they are wrong,
          choose another encoding.
        </p>
      )}
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
      <label>
        The object of a row
        <select
          value={'id' in object ? 'id' : 'about'}
          onChange={(event) =>
            choose({ object: event.currentTarget.value === 'id' ? { id: column } : { about: `{${column}}` } })
          }
        >
          <option value="about">is the one with an about value</option>
          <option value="id">is the one with an id</option>
        </select>
      </label>
      <label>
        Column that names it
        <select
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
        <span class="hint">{uniqueness(sample, object)}</span>
      </label>
      {'about' in object && <AboutField sample={sample} object={object} flaw={flaw} />}
    </>
  )
}

interface AboutProps extends ObjectProps {
  readonly object: Extract<Naming, { about: string }>
}

const AboutField = ({ sample, object, flaw }: AboutProps): JSX.Element => (
  <label>
    About value
    <input
      class="code"
      value={object.about}
      spellcheck={false}
      autocapitalize="none"
      aria-invalid={flaw !== undefined}
      onInput={(event) => choose({ object: { about: event.currentTarget.value } })}
    />
    <span class={flaw === undefined ? 'hint' : 'flaw'}>
      {flaw === undefined ? exampleOf(sample, object) : sentence(flaw)}
    </span>
  </label>
)

/** Whether the first rows are about different objects. */
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

const FORMATS = ['json', 'ndjson'] as const

function FormatFields({ sample: { format, encoding } }: { sample: Sample }): JSX.Element {
  const separator = format.name === 'csv' ? format.separator : format.name
  const read = (value: string): void => {
    const name = FORMATS.find((one) => one === value)
    const quotes = format.name !== 'csv' || format.quotes
    void reread({ format: name === undefined ? { name: 'csv', separator: value, quotes } : { name } })
  }
  return (
    <>
      <label>
        Format
        <select value={separator} onChange={(event) => read(event.currentTarget.value)}>
          {Object.keys(SEPARATOR_NAMES).map((one) => (
            <option key={one} value={one}>
              {sentence(formatName({ name: 'csv', separator: one, quotes: true })).slice(0, -1)}
            </option>
          ))}
          {FORMATS.map((name) => (
            <option key={name} value={name}>
              {sentence(formatName({ name })).slice(0, -1)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Encoding
        <select
          value={encoding}
          onChange={(event) => void reread({ encoding: event.currentTarget.value as Encoding })}
        >
          {Object.entries(ENCODING_NAMES).map(([one, name]) => (
            <option key={one} value={one}>
              {one === 'utf-16be' ? `${name}, high octet first` : name}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

function ValueFields({ sample, choices }: { sample: Sample; choices: Choices }): JSX.Element {
  return (
    <>
      <label>
        Between the items of lists
        <input
          value={choices.separator}
          placeholder="such as ;"
          onChange={({ currentTarget: { value } }) => {
            choose({ separator: value })
            void reread({ separator: value })
          }}
        />
      </label>
      {sample.format.name === 'csv' && (
        <label>
          An empty field
          <select
            value={choices.empty}
            onChange={(event) => choose({ empty: event.currentTarget.value as Choices['empty'] })}
          >
            <option value="skip">writes nothing</option>
            <option value="null">writes null</option>
          </select>
        </label>
      )}
    </>
  )
}

function MappingButtons({ file, mapping }: { file: File; mapping: Mapping }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const save = (): void =>
    saveFile(
      new Blob([mappingText(mapping)], { type: 'application/json' }),
      `${nameOf(file.name)}.mapping.json`,
    )
  return (
    <p class="actions">
      <button type="button" onClick={save}>
        Save the mapping
      </button>
      <button type="button" onClick={() => field.current?.click()}>
        Load a mapping
      </button>
      <input
        ref={field}
        class="hidden"
        type="file"
        tabIndex={-1}
        aria-label="Mapping to load"
        accept=".json,application/json"
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? []
          if (chosen) void openMapping(chosen)
          currentTarget.value = ''
        }}
      />
      <span class="hint">
        All that is chosen here, as <code>gloss import --mapping</code> takes it
      </span>
    </p>
  )
}
