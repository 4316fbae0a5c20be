/** What the `Accept` header allows. */
import Negotiator from 'negotiator'
import { ServiceError, shown } from '../errors.ts'

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

/** Whether the `Accept` header admits HTML. */
export const acceptsPages = (accept: string | undefined): boolean => admits(accept, 'text/html')

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

function admits(accept = '', contentType: string): boolean {
  const ranges = accept.trim() || '*/*'
  if (ranges === '*/*') return true
  const negotiator = new Negotiator({ headers: { accept: ranges } })
  // A content type that is not a media type, as an opaque value may have, matches only the range `*/*`.
  if (!MEDIA_TYPE.test(contentType)) return negotiator.mediaTypes().includes('*/*')
  return negotiator.mediaTypes([contentType]).length > 0
}
