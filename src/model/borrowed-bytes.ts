/** Octets that do not last: soon overwritten, or freed by hand. */

/**
 * Octets in a buffer that alternates with another one: they are overwritten when the piece after the next is requested.
 * So they can be copied, or written to a stream that waits for each piece to leave, but not kept. That is why this is
 * not a `Buffer`, although any `Buffer` can be used as one.
 */
export interface BorrowedBytes {
  readonly length: number
  /** Copies all octets to `target`, starting at `targetStart`. Returns how many it copied. */
  copy(target: Uint8Array, targetStart?: number): number
}

/** A text in pieces, each of which is read before the next is asked for. */
export type Pieces = Iterable<BorrowedBytes> | AsyncIterable<BorrowedBytes>

/** Frees the memory of octets at once, unless they share it: garbage of this kind counts little for V8, and would grow to megabytes. */
export function free({ length, buffer }: Buffer): void {
  if (length === buffer.byteLength && 'transfer' in buffer) buffer.transfer(0)
}
