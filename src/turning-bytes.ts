/** Octets that will not last. */

/**
 * Octets in a buffer that takes turns with another one: they are overwritten when the piece after the next is asked
 * for. So they can be copied, or written to a stream that waits for each piece to leave, but not kept: this is no
 * `Buffer`, although every `Buffer` will do for it.
 */
export interface TurningBytes {
  readonly length: number
  /** Copies all of them to `target`, from `targetStart` on. Returns how many they are. */
  copy(target: Uint8Array, targetStart?: number): number
}
