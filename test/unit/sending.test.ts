/** Sending long answers: what they are made of is freed although the client has gone. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, jest, test } from '@jest/globals'
import { inPieces } from '../../src/http/raw-json.ts'
import type { Incoming } from '../../src/http/request.ts'
import { send } from '../../src/http/send.ts'

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
  const discard = jest.fn(() => Promise.resolve())
  const json = inPieces({ length: LONG, held: LONG }, [Buffer.alloc(LONG)], discard)
  await expect(send(res, { status: 200, json }, INCOMING)).rejects.toMatchObject({
    code: 'ERR_STREAM_PREMATURE_CLOSE',
  })
  expect(discard).toHaveBeenCalledTimes(1)
  server.close()
})
