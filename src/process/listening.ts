/** How servers begin to listen. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { Address } from './start-failure.ts'

/** Throws if the address cannot be listened on. */
export async function checkPort(address: Address): Promise<void> {
  const server = createServer()
  await listen(server, address)
  await new Promise((resolve) => server.close(resolve))
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Rejects with an error that names the address. */
export function listen(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    // Also later: a connection that the system does not let a server accept is no reason to end.
    server.on('error', (error) => {
      reject(Object.assign(error, { listen: address }))
    })
    server.listen(address.port, address.host, resolve)
  })
}
