/** JSON that is text already, in memory or in a file. */
import { Spool } from './spool.ts'
import type { Pieces } from '../../model/borrowed-bytes.ts'
import type { JsonText } from './json-text.ts'

/**
 * The JSON of a `T`, in pieces of UTF-8. Only this file makes one; each function
 * of `representations.ts` and `search-representations.ts` has one made of the data that it represents.
 */
class RawJson<T> {
  /** The total length of the pieces, in octets. */
  readonly length: number
  /** How much of it, or of what it is made from, is in memory, in octets. */
  readonly held: number
  readonly pieces: Pieces
  /** Frees the memory or file behind the pieces. To be called if they will not be read. */
  readonly discard: () => Promise<void>
  // Only for the compiler: JSON of one schema cannot be used as JSON of another, in either direction.
  declare protected readonly represented: (json: T) => T

  constructor(
    { length, held }: { readonly length: number; readonly held: number },
    pieces: Pieces,
    discard: () => Promise<void>,
  ) {
    this.length = length
    this.held = held
    this.pieces = pieces
    this.discard = discard
  }
}

export type { RawJson }

/** JSON in pieces, made as they are sent. */
export const inPieces = <T>(...json: ConstructorParameters<typeof RawJson<T>>): RawJson<T> =>
  new RawJson(...json)

/** Whether a reply's JSON is already text. */
export const isRawJson = (json: unknown): json is RawJson<unknown> => json instanceof RawJson

/** JSON that is in memory. */
export function inMemory<T>(json: JsonText<T>): RawJson<T> {
  const bytes = Buffer.from(json)
  return new RawJson({ length: bytes.length, held: bytes.length }, [bytes], () => Promise.resolve())
}

/** JSON that `write` writes of what `find` finds, at the speed of the database, so that a slow reader holds up nothing. */
export async function spooled<Content, T>(
  write: (spool: Spool, content: Content) => Promise<void>,
  find: (represent: (content: Content) => Promise<RawJson<T>>) => Promise<RawJson<T>>,
): Promise<RawJson<T>> {
  const spool = new Spool()
  try {
    return await find(async (content) => {
      await spool.clear()
      await write(spool, content)
      return new RawJson<T>(spool, spool.read(), () => spool.clear())
    })
  } catch (error) {
    await spool.clear()
    throw error
  }
}
