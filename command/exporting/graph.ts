/**
 * Writes objects as a graph: N-Quads (https://www.w3.org/TR/n-quads/) and JSON-LD 1.1 (https://www.w3.org/TR/json-ld11/),
 * with the same content.
 */
import type { Entry, Found } from '../connection/search.ts'
import { toJson } from '../../packages/client/json.ts'
import { SYSTEM_TAGS } from '../../src/data/store/tables.ts'

export type GraphFormat = 'jsonld' | 'nquads'

const XSD = 'http://www.w3.org/2001/XMLSchema#'
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'

/** The value of a tag on an object. */
type Term =
  | { readonly kind: 'iri'; readonly iri: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly digits: string; readonly type: 'integer' | 'double' }
  /** RDF has no null; the graph uses a JSON literal. */
  | { readonly kind: 'null' }
  | { readonly kind: 'list'; readonly items: readonly string[] }

const subjectOf = ({ id }: Found): string => `urn:uuid:${id}`

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** Yields the values of an object by the paths of tags; opaque values become links. */
function* termsOf(url: string, { id, about, values }: Found): Generator<readonly [path: string, Term]> {
  if (about !== null) yield [SYSTEM_TAGS.about.path, { kind: 'text', text: about }]
  for (const [path, entry] of Object.entries(values)) {
    if (path !== SYSTEM_TAGS.about.path)
      yield [path, termOf(entry, `${url}/objects/${id}/${encodePath(path)}`)]
  }
}

function termOf(entry: Entry, address: string): Term {
  if (!('value' in entry)) return { kind: 'iri', iri: address }
  const { value } = entry
  if (value === null) return { kind: 'null' }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (!('rawJSON' in value)) return { kind: 'list', items: value }
  const isInt = /^-?\d+$/.test(value.rawJSON)
  return isInt
    ? { kind: 'number', digits: value.rawJSON, type: 'integer' }
    : { kind: 'number', digits: canonicalDouble(value.rawJSON), type: 'double' }
}

/** Writes a float as a canonical `xsd:double` (XML Schema 1.1 Part 2, E.1), as processors of JSON-LD do. */
function canonicalDouble(text: string): string {
  const [mantissa = '', exponent = ''] = Number(text.replace(/^-/, '')).toExponential().split('e')
  const sign = text.startsWith('-') ? '-' : ''
  return `${sign}${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${exponent.replace('+', '')}`
}

/** Yields the text of a graph of these objects, one portion per object; `url` is the URL of the service. */
export const graphOf = (
  format: GraphFormat,
  url: string,
  objects: AsyncIterable<Found>,
): AsyncGenerator<string> => (format === 'jsonld' ? jsonLdOf(url, objects) : quadsOf(url, objects))

async function* jsonLdOf(url: string, objects: AsyncIterable<Found>): AsyncGenerator<string> {
  const context = toJson({ tags: `${url}/tags/`, xsd: XSD })
  let before = `{"@context": ${context},\n"@graph": [`
  for await (const object of objects) {
    const members = [...termsOf(url, object)].map(([path, term]) => [
      `tags:${encodePath(path)}`,
      nodeOf(term),
    ])
    yield `${before}\n${toJson({ '@id': subjectOf(object), ...Object.fromEntries(members) })}`
    before = ','
  }
  yield before === ',' ? '\n]}\n' : `${before}]}\n`
}

/** Numbers are strings here: processors read JSON numbers as doubles, and write them differently. */
function nodeOf(term: Term): unknown {
  if (term.kind === 'text') return term.text
  if (term.kind === 'boolean') return term.value
  if (term.kind === 'iri') return { '@id': term.iri }
  if (term.kind === 'list') return { '@list': term.items }
  if (term.kind === 'null') return { '@value': null, '@type': '@json' }
  return { '@value': term.digits, '@type': `xsd:${term.type}` }
}

async function* quadsOf(url: string, objects: AsyncIterable<Found>): AsyncGenerator<string> {
  let blank = 0
  for await (const object of objects) {
    let text = ''
    for (const [path, term] of termsOf(url, object)) {
      const items = term.kind === 'list' ? term.items : []
      const node = term.kind === 'list' ? listNode(items.length, blank) : quadTerm(term)
      text += `<${subjectOf(object)}> <${url}/tags/${encodePath(path)}> ${node} .\n`
      for (const [index, item] of items.entries()) {
        text += `_:b${blank} <${RDF}first> ${literal(item)} .\n`
        blank += 1
        text += `_:b${blank - 1} <${RDF}rest> ${listNode(items.length - index - 1, blank)} .\n`
      }
    }
    yield text
  }
}

/** The node of a list of `length` items that begins at this blank node. */
const listNode = (length: number, blank: number): string => (length === 0 ? `<${RDF}nil>` : `_:b${blank}`)

function quadTerm(term: Exclude<Term, { kind: 'list' }>): string {
  if (term.kind === 'text') return literal(term.text)
  if (term.kind === 'boolean') return `"${term.value}"^^<${XSD}boolean>`
  if (term.kind === 'iri') return `<${term.iri}>`
  if (term.kind === 'null') return `"null"^^<${RDF}JSON>`
  return `"${term.digits}"^^<${XSD}${term.type}>`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': String.raw`\"`,
  '\\': String.raw`\\`,
  '\b': String.raw`\b`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\f': String.raw`\f`,
  '\r': String.raw`\r`,
}

/** Writes a string in the canonical form of N-Quads (RDF 1.2 N-Quads, section 3). */
const literal = (text: string): string =>
  `"${text.replace(/["\\\p{Cc}]/gu, (character) => ESCAPES[character] ?? escaped(character))}"`

const escaped = (character: string): string =>
  String.raw`\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
