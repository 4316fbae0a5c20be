/** The members of JSON objects of any length. */
import { SpreadMap } from './spread-map.ts'

/** A JSON object as JavaScript has it. */
type Members = Record<string, unknown>

/**
 * How many members an object may have. JavaScript lists the members of an object at once and moves them all when it
 * grows, which takes a tenth of a second for a million.
 */
const PART_MEMBERS = 2_000
/** About as many characters as a member takes. */
const MEMBER_CHARACTERS = 16

const REST = Symbol('rest')

/**
 * The parts of a parsed object, which together are its members in their order. The first part is the object itself; most
 * objects have no other.
 */
export function partsOf<T extends object>(object: T): readonly T[] {
  const { [REST]: rest = [] } = object as { readonly [REST]?: readonly T[] }
  return rest.length === 0 ? [object] : [object, ...rest]
}

/** Builds an object of any length, member by member. Of duplicate keys, the last one wins. */
export class ObjectBuilder {
  readonly #parts: Members[] = [{}]
  /** For each key, the part that has it. */
  readonly #places: SpreadMap<Members>
  /** The fields that the first part has, wherever they are: whoever looks only there finds them. */
  readonly #fields: ReadonlySet<string>
  #last = 0

  /** `textLength` is the length of the text that the object is in, in characters. */
  constructor(textLength: number, fields: ReadonlySet<string>) {
    this.#places = new SpreadMap(textLength / MEMBER_CHARACTERS)
    this.#fields = fields
  }

  /** Sets a member. Returns the part that has it. */
  set(key: string, value: unknown): Members {
    const known = this.#places.get(key)
    const part = known ?? this.#partFor(key)
    if (known === undefined) this.#places.set(key, part)
    // An assignment to `__proto__` would not make a member.
    if (key !== '__proto__') part[key] = value
    else Object.defineProperty(part, key, { value, writable: true, enumerable: true, configurable: true })
    return part
  }

  /** The object. */
  build(): object {
    const [first = {}, ...rest] = this.#parts
    if (rest.length > 0) Object.defineProperty(first, REST, { value: rest })
    return first
  }

  #partFor(key: string): Members {
    const [first = {}] = this.#parts
    if (this.#fields.has(key)) return first
    if (this.#last === PART_MEMBERS) {
      this.#parts.push({})
      this.#last = 0
    }
    this.#last += 1
    return this.#parts.at(-1) ?? first
  }
}
