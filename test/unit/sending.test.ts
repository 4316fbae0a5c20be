/** Sending long answers: what they are made of is freed although the client has gone. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, jest, test } from '@jest/globals'
import { inPieces } from '../../src/http/answer/raw-json.ts'
import { discard } from '../../src/http/answer/reply.ts'
import type { Incoming } from '../../src/http/request/request.ts'
import { send } from '../../src/http/answer/send.ts'

const LONG = 1024 * 1024
const INCOMING = { method: 'GET', callback: undefined, header: () => undefined } as unknown as Incoming

test('before anything has left', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: gone\r\n\r\n')
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  client.destroy()
  await once(res, 'close')
  const discarding = jest.fn(() => Promise.resolve())
  const json = inPieces({ length: LONG, held: LONG }, [Buffer.alloc(LONG)], discarding)
  await expect(send(res, { status: 200, json }, INCOMING)).rejects.toMatchObject({
    code: 'ERR_STREAM_PREMATURE_CLOSE',
  })
  expect(discarding).toHaveBeenCalledTimes(1)
  server.close()
})

/** A long value as the answer to a request whose client takes all of it, or is gone before its end. */
async function sentTo(
  use: (client: Socket) => Promise<unknown>,
): Promise<{ content: Buffer; sending: Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')
  const [, res] = (await once(server, 'request')) as [unknown, ServerResponse]
  const content = Buffer.alloc(16 * LONG, 'x')
  const value = {
    tagId: 100,
    type: 'opaque',
    contentType: 'text/plain',
    sizeBytes: content.length,
    updatedAt: 0,
    content,
  } as const
  const sending = send(res, { status: 200, value }, INCOMING)
  await Promise.allSettled([sending, use(client)])
  server.close()
  return { content, sending }
}

test('a long value is freed once it has been sent', async () => {
  let octets = 0
  const { content, sending } = await sentTo(async (client) => {
    for await (const chunk of client) octets += (chunk as Buffer).length
  })
  await sending
  expect(octets).toBeGreaterThan(16 * LONG)
  expect(content.buffer.byteLength).toBe(0)
})

test('and when its client is gone', async () => {
  const { content, sending } = await sentTo(async (client) => {
    await once(client, 'readable')
    client.destroy()
  })
  await expect(sending).rejects.toMatchObject({ code: 'ERR_STREAM_PREMATURE_CLOSE' })
  expect(content.buffer.byteLength).toBe(0)
})

test('a value that is given up is freed', async () => {
  const content = Buffer.alloc(LONG)
  await discard({
    status: 200,
    value: { tagId: 100, type: 'opaque', contentType: 'text/plain', sizeBytes: LONG, updatedAt: 0, content },
  })
  expect(content.buffer.byteLength).toBe(0)
})
