/** Schemas described for people: a value in a few words, and its fields one by one. */
import { html, prose, type Html } from './html.ts'
import type { Schema } from './model.ts'

/** A few words for the type of a schema's values, with links to named schemas, which are on the page at `reference`. */
export function typeOf(schema: Schema, reference = ''): Html {
  const typeOfPart = (part: Schema): Html => typeOf(part, reference)
  if (schema.$ref !== undefined) return link(schema.$ref, reference)
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return joined(union.map(typeOfPart), ' or ')
  if (schema.allOf !== undefined) return joined(schema.allOf.map(typeOfPart), ' with ')
  if (schema.items !== undefined) return html`array of ${typeOfPart(schema.items)}`
  const types = [schema.type ?? 'anything'].flat().join(' or ')
  return html`${types}${schema.format === undefined ? '' : ` (${schema.format})`}`
}

function link($ref: string, reference: string): Html {
  const name = $ref.split('/').at(-1)
  return html`<a href="${reference}#schema-${name}">${name}</a>`
}

const joined = (parts: readonly Html[], between: string): Html =>
  html`${parts.flatMap((part, i) => (i === 0 ? [part] : [between, part]))}`

const LIMITS: readonly (readonly [keyword: string, words: string])[] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'characters at least'],
  ['maxLength', 'characters at most'],
  ['minItems', 'items at least'],
  ['maxItems', 'items at most'],
  ['default', 'by default'],
]

/** What else a schema requires of a value: its allowed words, its bounds, its default. */
export function limitsOf(schema: Schema): Html {
  const words = (schema.enum ?? []).flatMap((word, i) => [i === 0 ? '' : ', ', code(word)])
  const bounds = LIMITS.filter(([keyword]) => schema[keyword] !== undefined).map(
    ([keyword, text]) => html`; ${text} ${code(schema[keyword])}`,
  )
  return html`${words.length > 0 ? html`: ${words}` : ''}${bounds}`
}

const code = (value: unknown): Html =>
  html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`

/** A whole schema: its purpose, its type, its fields and examples. */
export function schemaDetails(schema: Schema): Html {
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  return html` ${schema.description === undefined ? '' : prose(schema.description)}
    <p class="type">${typeOf(schema)}${limitsOf(schema)}</p>
    ${schema.properties === undefined ? '' : fields(schema)}
    ${parts?.some(({ description }) => description !== undefined) === true ? branches(parts) : ''}
    ${(schema.examples ?? []).map((value) => json(value))}`
}

function fields({ properties = {}, required = [] }: Schema): Html {
  const items = Object.entries(properties).map(
    ([name, schema]) =>
      html` <div>
        <dt>
          <code>${name}</code>
          <span class="type"
            >${typeOf(schema)}${limitsOf(schema)}${required.includes(name) ? ', required' : ''}</span
          >
        </dt>
        <dd>${prose(schema.description ?? '')}${schema.properties === undefined ? '' : fields(schema)}</dd>
      </div>`,
  )
  return html`<dl>${items}</dl>`
}

const branches = (schemas: readonly Schema[]): Html =>
  html`<dl>
    ${schemas.map(
      (schema) =>
        html` <div>
          <dt><span class="type">${typeOf(schema)}</span></dt>
          <dd>${prose(schema.description ?? '')}</dd>
        </div>`,
    )}
  </dl>`

/** An example value in the form in which it would be sent. */
export const json = (value: unknown): Html =>
  html`<pre><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre>`
