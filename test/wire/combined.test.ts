/**
 * `If-None-Match`, `Accept-Encoding`, HEAD and JSONP together: what each does alone says what all combinations do, for values
 * and for documents.
 */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import { decoded } from '../support/contract-judge.ts'
import type { Answer } from '../support/service.ts'
import { ask, useService } from './raw-requests.ts'

const setting = useService()

const LONG = '/about/combined/alice/long'
const ITEMS = [
  { path: '/about/book-1/alice/books/rating', isDocument: false, isJson: true },
  { path: LONG, isDocument: false, isJson: true },
  { path: '/about/book-1/alice/books/cover', isDocument: false, isJson: false },
  { path: '/openapi.json', isDocument: true, isJson: true },
  { path: '/docs', isDocument: true, isJson: false },
] as const
type Item = (typeof ITEMS)[number]

const METHODS = ['GET', 'HEAD', 'GET as HEAD'] as const
const CALLBACKS = [undefined, 'f'] as const
const CODINGS = [undefined, 'gzip', 'br'] as const
const KNOWN = ['none', 'this', 'that of no coding', 'that of gzip', 'another', '*'] as const

interface Asked {
  readonly method: (typeof METHODS)[number]
  readonly callback: (typeof CALLBACKS)[number]
  readonly accepted: (typeof CODINGS)[number]
  readonly known: (typeof KNOWN)[number]
}

const COMBINATIONS = METHODS.flatMap((method) =>
  CALLBACKS.flatMap((callback) =>
    CODINGS.flatMap((accepted) => KNOWN.map((known): Asked => ({ method, callback, accepted, known }))),
  ),
)

/** What is seen of an answer. */
interface Seen {
  readonly status: number
  readonly error?: string | undefined
  readonly etag?: string | undefined
  readonly coding?: string | undefined
  readonly length?: string | undefined
  /** The body, decoded. */
  readonly body: string
}

/** An item as it is without any of the features. */
interface Plain {
  readonly body: Buffer
  readonly etag: string
  /** The lengths of the body in each coding. */
  readonly lengths: Readonly<Record<string, number>>
}

/** The tag of an item in a coding: documents have one of their own in each. */
const tagIn = ({ etag }: Plain, coding: string | undefined): string =>
  coding === undefined ? etag : `${etag.slice(0, -1)}-${coding}"`

function conditionOf(known: Asked['known'], plain: Plain, coding: string | undefined): string | undefined {
  if (known === 'none') return undefined
  if (known === 'this') return tagIn(plain, coding)
  if (known === 'that of no coding') return tagIn(plain, undefined)
  if (known === 'that of gzip') return tagIn(plain, 'gzip')
  return known === '*' ? '*' : '"another"'
}

/** Only documents are compressed, and scripts never. */
const codingOf = ({ isDocument }: Item, { method, callback, accepted }: Asked): string | undefined =>
  isDocument && (method === 'HEAD' || callback === undefined) ? accepted : undefined

function expected(item: Item, asked: Asked, plain: Plain): Seen {
  const { callback, known } = asked
  if (callback !== undefined && !item.isJson)
    return { status: 400, error: 'UnwrappableBlob', length: '0', body: '' }
  const coding = codingOf(item, asked)
  const etag = tagIn(plain, coding)
  const condition = conditionOf(known, plain, coding)
  if (callback === undefined && (condition === '*' || condition === etag))
    return { status: 304, etag, length: undefined, body: '' }
  return { status: 200, etag, coding, ...bodyOf(asked, plain, coding) }
}

/** A script as long as that is sent before its length is known. */
const LONG_BODY = 256 * 1024

function bodyOf(
  { method, callback }: Asked,
  plain: Plain,
  coding: string | undefined,
): Pick<Seen, 'body' | 'length'> {
  const whole = plain.body.toString()
  if (callback !== undefined) {
    const body = method === 'GET' ? `/**/f(${whole})` : '/**/f()'
    const isLong = method === 'GET' && plain.body.length > LONG_BODY
    return { body, length: isLong ? undefined : String(Buffer.byteLength(body)) }
  }
  const length = String(plain.lengths[coding ?? ''])
  if (method === 'GET') return { body: whole, length }
  // What looks like a GET has no octets, so that it announces none.
  return { body: '', length: method === 'HEAD' ? length : '0' }
}

async function seen(item: Item, asked: Asked, plain: Plain): Promise<Seen> {
  const { method, callback, accepted, known } = asked
  const args = [
    ...(callback === undefined ? [] : [`callback=${callback}`]),
    ...(method === 'GET as HEAD' ? ['verb=HEAD'] : []),
  ]
  const condition = conditionOf(known, plain, codingOf(item, asked))
  const target = `${item.path}${args.length === 0 ? '' : '?'}${args.join('&')}`
  return seenOf(
    await ask(setting().url, method === 'HEAD' ? 'HEAD' : 'GET', target, {
      headers: {
        ...(accepted !== undefined && { 'accept-encoding': accepted }),
        ...(condition !== undefined && { 'if-none-match': condition }),
      },
    }),
  )
}

const seenOf = ({ status, error, headers, body }: Answer): Seen => {
  const coding = headers['content-encoding']
  return {
    status,
    error,
    etag: headers.etag,
    coding,
    length: headers['content-length'],
    body: body.length === 0 ? '' : decoded(body, coding).toString(),
  }
}

async function plainOf({ path, isDocument }: Item): Promise<Plain> {
  const get = (coding: string): Promise<Answer> =>
    ask(setting().url, 'GET', path, { headers: { 'accept-encoding': coding } })
  // Documents are compressed from the second time on.
  const { body, headers } = await get('')
  const lengths: Record<string, number> = { '': body.length }
  if (isDocument) for (const coding of ['gzip', 'br']) lengths[coding] = (await get(coding)).body.length
  return { body, etag: String(headers.etag), lengths }
}

beforeAll(async () => {
  await setting().service.ok('PUT', LONG, {
    as: 'alice',
    body: JSON.stringify('x'.repeat(2 * LONG_BODY)),
    headers: { 'content-type': PRIMITIVE_MEDIA_TYPE },
  })
})

describe.each(ITEMS.map((item) => [item.path, item] as const))('%s', (_path, item) => {
  test.each(METHODS)('by %s', async (method) => {
    const plain = await plainOf(item)
    const combinations = COMBINATIONS.filter((asked) => asked.method === method)
    expect(combinations).toHaveLength(36)
    for (const asked of combinations) {
      // A HEAD is no script, so that its argument `callback` means nothing.
      const meant = method === 'HEAD' ? { ...asked, callback: undefined } : asked
      expect([asked, await seen(item, asked, plain)]).toEqual([asked, expected(item, meant, plain)])
    }
  })
})
