/** A server that cannot listen says where; one that listens goes on, whatever it cannot accept. */
import { createServer } from 'node:net'
import { expect, test } from '@jest/globals'
import { listen, portOf } from '../../src/process/listening.ts'

test('an address in use is named, and connections that cannot be accepted end nothing', async () => {
  const address = { prefix: '', host: '127.0.0.1', port: 0 } as const
  const server = createServer()
  await listen(server, address)
  const taken = { ...address, port: portOf(server) }
  await expect(listen(createServer(), taken)).rejects.toMatchObject({ code: 'EADDRINUSE', listen: taken })
  for (let i = 0; i < 3; i++)
    expect(() =>
      server.emit('error', Object.assign(new Error('accept ENFILE'), { code: 'ENFILE' })),
    ).not.toThrow()
  await new Promise((resolve) => server.close(resolve))
})
