/** Makes servers listen. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { Address } from './start-failure.ts'

/** Throws if a server cannot listen on the address. */
export async function checkPort(address: Address): Promise<void> {
  const server = createServer()
  await listen(server, address)
  await new Promise((resolve) => server.close(resolve))
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** Rejects with an error that names the address. */
export function listen(server: Server, address: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays for later errors: if the system does not let the server accept a connection, the process goes on.
    server.on('error', (error) => {
      reject(Object.assign(error, { listen: address }))
    })
    server.listen(address.port, address.host, resolve)
  })
}
