/** Shows how the page reads a file, and loads mappings. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { encodingName, ENCODINGS } from '../../../common/importing/encodings.ts'
import { formatName, SEPARATOR_NAMES, type Format } from '../../../common/importing/formats.ts'
import { mappingText, type Mapping } from '../../../common/importing/mapping.ts'
import { DECIMALS } from '../../../common/importing/numbers.ts'
import { fileStem } from '../../../common/importing/refusals.ts'
import type { Sample } from '../../../common/importing/sampling.ts'
import { Field } from '../parts/field.tsx'
import { saveFile } from '../parts/save-file.ts'
import type { Choices } from './choices.ts'
import { sentence } from './flaw.tsx'
import { choose, openMapping, reread } from './open.ts'

interface HowReadProps {
  readonly file: File
  readonly sample: Sample
  readonly choices: Choices
  readonly mapping: Mapping
}

export const HowRead = ({ file, sample, choices, mapping }: HowReadProps): JSX.Element => (
  <details>
    <summary>
      How it is read: {formatName(sample.format)}, {encodingName(sample.encoding)}
    </summary>
    <section class="fields" aria-label="How the file is read">
      <FormatFields sample={sample} />
      <ValueFields sample={sample} choices={choices} />
    </section>
    <MappingButtons file={file} mapping={mapping} />
  </details>
)

const FORMATS = ['json', 'ndjson'] as const

function FormatFields({ sample: { format, encoding } }: { sample: Sample }): JSX.Element {
  const separator = format.name === 'csv' ? format.separator : format.name
  const read = (value: string): void => {
    const name = FORMATS.find((one) => one === value)
    const usual = { name: 'csv', quotes: true } as const
    const csv = { ...(format.name === 'csv' ? format : usual), separator: value }
    void reread({ format: name === undefined ? csv : { name } })
  }
  return (
    <>
      <Field label="Format">
        {(of) => (
          <select {...of} value={separator} onChange={(event) => read(event.currentTarget.value)}>
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
        )}
      </Field>
      <PlaceField format={format} />
      <Field label="Encoding">
        {(of) => (
          <select
            {...of}
            value={encoding}
            onChange={(event) => void reread({ encoding: event.currentTarget.value })}
          >
            {[...new Set([...ENCODINGS, encoding])].map((one) => (
              <option key={one} value={one}>
                {encodingName(one)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  )
}

/** Where the rows begin. */
function PlaceField({ format }: { format: Format }): JSX.Element | null {
  if (format.name === 'ndjson') return null
  return format.name === 'csv' ? (
    <Field label="Line of the heading" hint="0: the first row is data.">
      {(of) => (
        <input
          {...of}
          type="number"
          min={0}
          value={format.heading ?? 1}
          onChange={({ currentTarget: { value } }) =>
            void reread({ format: { ...format, heading: Math.max(0, Math.trunc(Number(value))) } })
          }
        />
      )}
    </Field>
  ) : (
    <Field label="Where the rows are" hint="The names of the members that lead to them.">
      {(of) => (
        <input
          {...of}
          value={format.rows ?? ''}
          placeholder="such as data.results"
          onChange={({ currentTarget: { value } }) => void reread({ format: undefined, rows: value || '.' })}
        />
      )}
    </Field>
  )
}

function ValueFields({ sample, choices }: { sample: Sample; choices: Choices }): JSX.Element {
  return (
    <>
      <Field label="Between the items of lists">
        {(of) => (
          <input
            {...of}
            value={choices.separator}
            placeholder="such as ;"
            onChange={({ currentTarget: { value } }) => {
              choose({ separator: value })
              void reread()
            }}
          />
        )}
      </Field>
      {sample.format.name === 'csv' && (
        <Field label="An empty field">
          {(of) => (
            <select
              {...of}
              value={choices.empty}
              onChange={(event) => choose({ empty: event.currentTarget.value as Choices['empty'] })}
            >
              <option value="skip">writes nothing</option>
              <option value="null">writes null</option>
            </select>
          )}
        </Field>
      )}
      {sample.format.name === 'csv' && <TextFields choices={choices} />}
    </>
  )
}

/** Fields about texts that are no values, and about numbers. */
const TextFields = ({ choices }: { choices: Choices }): JSX.Element => (
  <>
    <Field label="Texts that stand for no value">
      {(of) => (
        <input
          {...of}
          value={choices.missing.join(' ')}
          placeholder="such as NA -"
          spellcheck={false}
          onChange={({ currentTarget: { value } }) => {
            choose({ missing: value.split(/\s+/).filter((text) => text !== '') })
            void reread()
          }}
        />
      )}
    </Field>
    <Field label="Numbers">
      {(of) => (
        <select
          {...of}
          value={choices.decimal ?? ''}
          onChange={({ currentTarget: { value } }) => {
            choose({ decimal: DECIMALS.find((one) => one === value) })
            void reread()
          }}
        >
          <option value="">as found in each column</option>
          <option value=".">such as 1,234.5</option>
          <option value=",">such as 1.234,5</option>
        </select>
      )}
    </Field>
  </>
)

function MappingButtons({ file, mapping }: { file: File; mapping: Mapping }): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const save = (): void =>
    saveFile(
      new Blob([mappingText(mapping)], { type: 'application/json' }),
      `${fileStem(file.name)}.mapping.json`,
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
