/** The states of values before and after a change, and their comparison. */
import type { Primitive, Value } from '../../packages/client/index.ts'
import { float, isExact, toJson } from '../../packages/client/json.ts'
import type { Address } from '../connection/addresses.ts'
import { quotedInQuery } from '../connection/addresses.ts'
import { floatText } from '../../src/model/tag-value.ts'
import type { Cell, OpaqueCell } from '../values.ts'

/** A primitive value. Numbers have all their digits: they are bigints or exact numbers. */
export interface PrimitiveState {
  readonly value: Exclude<Cell, undefined | OpaqueCell>
}

/** An opaque value: its octets in base64, or their SHA-256 in hexadecimal. */
export type OpaqueState = { readonly 'content-type': string } & (
  { readonly octets: string } | { readonly sha256: string }
)

/** The value of a tag on an object; null if there is none. */
export type State = null | PrimitiveState | OpaqueState

/** A change of some values of an object: the states before and after it, by the folded path of the tag. */
export interface ObjectChange {
  readonly target: Address
  readonly values: Readonly<Record<string, readonly [before: State, after: State]>>
}

/** A key for the object of an address. */
export const keyOf = (target: Address): string => ('id' in target ? target.id : `:${target.about}`)

/** The text of a primitive value as the service writes it. Equal values of equal types have equal texts. */
export function textOf({ value }: PrimitiveState): string {
  if (!isExact(value)) return toJson(value)
  const { rawJSON } = value
  return /[.eE]/.test(rawJSON) ? floatText(Number(rawJSON)) : rawJSON
}

/** The text of a state, with an empty text for no value; undefined for an opaque value. */
export function stateText(state: State): string | undefined {
  if (state === null) return ''
  return 'value' in state ? textOf(state) : undefined
}

/** The state of a value that was read alone. */
export function stateOf(value: Value): State {
  if (value.type === 'opaque') return { 'content-type': value.contentType, octets: base64Of(value.bytes) }
  if (value.type === 'float') return { value: float(value.value) }
  return { value: value.type === 'int' ? BigInt(value.value) : value.value }
}

/** The value of a state with octets or a primitive value. */
export function valueOf(state: PrimitiveState | Extract<OpaqueState, { octets: string }>): Primitive | Value {
  if ('value' in state) return state.value
  const bytes = Uint8Array.from(atob(state.octets), (character) => character.charCodeAt(0))
  return { type: 'opaque', contentType: state['content-type'], bytes }
}

/** The most arguments of a call. */
const AT_ONCE = 0x8000

function base64Of(bytes: Uint8Array): string {
  const texts: string[] = []
  for (let from = 0; from < bytes.length; from += AT_ONCE)
    texts.push(String.fromCharCode(...bytes.subarray(from, from + AT_ONCE)))
  return btoa(texts.join(''))
}

/** Whether two states are the same. */
export async function areSame(one: State, other: State): Promise<boolean> {
  const [text, otherText] = [stateText(one), stateText(other)]
  if (text !== undefined || otherText !== undefined) return text === otherText
  const [opaque, otherOpaque] = [one, other] as [OpaqueState, OpaqueState]
  if (opaque['content-type'] !== otherOpaque['content-type']) return false
  if ('octets' in opaque && 'octets' in otherOpaque) return opaque.octets === otherOpaque.octets
  return (await digestOf(opaque)) === (await digestOf(otherOpaque))
}

async function digestOf(state: OpaqueState): Promise<string> {
  if ('sha256' in state) return state.sha256
  const { bytes } = valueOf(state) as { bytes: Uint8Array<ArrayBuffer> }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return [...digest].map((octet) => octet.toString(16).padStart(2, '0')).join('')
}

/** The longest text of a value in a query, in characters. */
const LONGEST = 1000

/** A value in the syntax of a query; undefined for values with which no condition compares, and for long ones. */
export function literalOf(state: PrimitiveState): string | undefined {
  const { value } = state
  if (Array.isArray(value)) return undefined
  const text = typeof value === 'string' ? quotedInQuery(value) : textOf(state)
  return text.length > LONGEST ? undefined : text
}

/** Whether a query can test for this state. */
export const isQueryable = (state: State): state is null | PrimitiveState =>
  state === null || ('value' in state && literalOf(state) !== undefined)
