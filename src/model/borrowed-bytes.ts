/** Octets that do not last: they are soon overwritten, or freed explicitly. */

/**
 * Octets in a buffer that alternates with another one: they are overwritten when the piece after the next is requested. A
 * reader can copy them, or write them to a stream and wait for each piece to leave, but not keep them. That is why this is
 * not a `Buffer`, although any `Buffer` can be used as one.
 */
export interface BorrowedBytes {
  readonly length: number
  /** Copies all octets to `target`, starting at `targetStart`. Returns how many it copied. */
  copy(target: Uint8Array, targetStart?: number): number
}

/** A text in pieces; the reader finishes each piece before it asks for the next. */
export type Pieces = Iterable<BorrowedBytes> | AsyncIterable<BorrowedBytes>

/** Frees the memory of octets at once, unless it is shared: V8 counts such garbage as small, and would let megabytes grow. */
export function free({ length, buffer }: Buffer): void {
  if (length === buffer.byteLength && 'transfer' in buffer) buffer.transfer(0)
}
