/** Decodes percent-encoded parts of a URL. */
import { ServiceError } from '../../model/errors.ts'

/** Decodes a part of a URL. Throws `InvalidUTF8Argument`, naming the path parameter or query argument. */
export function decode(raw: string, argument: string): string {
  const text = findDecoded(raw)
  if (text === undefined) throw new ServiceError('InvalidUTF8Argument', { argument })
  return text
}

/** Decodes a part of a URL; undefined if it is not UTF-8. */
export function findDecoded(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}
