/** The octets of a body: all that arrives, in memory once. */
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { readConfig } from '../../src/settings/config.ts'
import { incomingOf } from '../../src/http/request/request.ts'

const config = readConfig({})

/** The body of a request that arrives in these pieces. */
function bodyOf(pieces: readonly Buffer[]): Promise<Buffer | undefined> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const req = Object.assign(new PassThrough(), { headers: { 'content-length': String(length) }, url: '/' })
  const body = incomingOf(req as unknown as IncomingMessage, config).readBytes(() => Promise.resolve())
  for (const piece of pieces) req.write(piece)
  req.end()
  return body
}

/** A piece with memory of its own, as those of a request have. */
const pieceOf = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer)

test('pieces are freed as soon as they are copied', async () => {
  const pieces = [pieceOf('one '), pieceOf('two '), pieceOf('three')]
  expect((await bodyOf(pieces))?.toString()).toBe('one two three')
  expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0])
})

test('a body in one piece is not copied', async () => {
  const piece = pieceOf('all of it')
  const body = await bodyOf([piece])
  expect(body?.toString()).toBe('all of it')
  expect(body?.buffer).toBe(piece.buffer)
})

test('memory that pieces share is left alone', async () => {
  const shared = pieceOf('one two three')
  expect((await bodyOf([shared.subarray(0, 4), shared.subarray(4)]))?.toString()).toBe('one two three')
  expect(shared.toString()).toBe('one two three')
})

test('an empty body has no octets', async () => {
  expect(await bodyOf([])).toEqual(Buffer.alloc(0))
})

describe('a body of which nothing comes', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  /** A request with a body of four octets, and how it ended. */
  function begun(): { req: PassThrough; ended: () => unknown } {
    const req = Object.assign(new PassThrough(), { headers: { 'content-length': '4' }, url: '/' })
    let ended: unknown
    incomingOf(req as unknown as IncomingMessage, config)
      .readBytes(() => Promise.resolve())
      .then(
        (bytes) => (ended = bytes?.toString()),
        (error: unknown) => (ended = (error as { errorClass?: string }).errorClass),
      )
    return { req, ended: () => ended }
  }

  test('is waited for as long as the setting says, and no longer', async () => {
    const { ended } = begun()
    await jest.advanceTimersByTimeAsync(config.idleTimeoutMs - 1)
    expect(ended()).toBeUndefined()
    await jest.advanceTimersByTimeAsync(1)
    expect(ended()).toBe('RequestTimeout')
  })

  test('is read to its end if it comes slowly, and steadily', async () => {
    const { req, ended } = begun()
    for (const octet of 'slow') {
      await jest.advanceTimersByTimeAsync(config.idleTimeoutMs - 1)
      req.write(octet)
      await jest.advanceTimersByTimeAsync(0)
    }
    req.end()
    await jest.advanceTimersByTimeAsync(0)
    expect(ended()).toBe('slow')
  })
})
