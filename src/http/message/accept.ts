/** The content types and encodings that `Accept` and `Accept-Encoding` allow. */
import Negotiator from 'negotiator'
import { ServiceError, shown } from '../../model/errors.ts'

const JSON_FORMS = ['application/json', 'application/json; charset=utf-8']

/** Throws `UnknownAcceptType` when the `Accept` header rules out JSON. */
export function checkAcceptsJson(accept: string | undefined): void {
  if (!JSON_FORMS.some((form) => admits(accept, form))) throw new ServiceError('UnknownAcceptType')
}

/** Throws `NotAcceptable` when the `Accept` header rules out the content type of a tag value or a document. */
export function checkAccepts(accept: string | undefined, contentType: string): void {
  if (!admits(accept, contentType))
    throw new ServiceError('NotAcceptable', {}, { hint: `it is ${shown(contentType)}` })
}

/** Whether the `Accept` header asks for HTML by name, as those of browsers do when somebody opens an address. */
export const asksForPages = (accept = ''): boolean =>
  new Negotiator({ headers: { accept } }).mediaTypes().includes('text/html')

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

function admits(accept = '', contentType: string): boolean {
  const ranges = accept.trim() || '*/*'
  if (ranges === '*/*') return true
  const negotiator = new Negotiator({ headers: { accept: ranges } })
  // A content type that is not a media type, as an opaque value may have, matches only the range `*/*`.
  if (!MEDIA_TYPE.test(contentType)) return negotiator.mediaTypes().includes('*/*')
  return negotiator.mediaTypes([contentType]).length > 0
}

/**
 * The content coding that a client prefers (RFC 9110, 12.5.3), of several that it likes equally the first one offered;
 * undefined for none, also where the client accepts nothing at all.
 */
export function preferredCoding<Coding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Coding[],
): Coding | undefined {
  if (acceptEncoding === undefined) return undefined
  // The library prefers what the client lists first, which means nothing.
  const rank = (member: string): number =>
    [...offered, ''].findIndex((coding) => member.trim().startsWith(coding))
  const members = acceptEncoding.toLowerCase().split(',')
  const ranked = members.sort((one, other) => rank(one) - rank(other)).join()
  const [preferred] = new Negotiator({ headers: { 'accept-encoding': ranked } }).encodings([
    ...offered,
    'identity',
  ])
  return offered.find((coding) => coding === preferred)
}
