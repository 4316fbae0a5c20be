/** Octets that are soon overwritten. */

/**
 * Octets in a buffer that alternates with another one: they are overwritten when the piece after the next is requested.
 * So they can be copied, or written to a stream that waits for each piece to leave, but not kept. That is why this is
 * not a `Buffer`, although any `Buffer` can be used as one.
 */
export interface TurningBytes {
  readonly length: number
  /** Copies all octets to `target`, starting at `targetStart`. Returns how many it copied. */
  copy(target: Uint8Array, targetStart?: number): number
}

/** A text in pieces, each of which is read before the next is asked for. */
export type Pieces = Iterable<TurningBytes> | AsyncIterable<TurningBytes>
