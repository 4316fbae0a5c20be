/** Serves the examples of the contract, without a database, for building applications (`npm run mock`). */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { createFront } from './front.ts'
import { startPrism } from './prism.ts'

const { host, port } = parseArgs({
  options: { host: { type: 'string', default: '127.0.0.1' }, port: { type: 'string', default: '4010' } },
}).values

try {
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port must be a number, not '${port}'.`)
  const prism = await startPrism()
  const front = await createFront(prism.url)
  front.listen(Number(port), host)
  await once(front, 'listening')
  const { port: bound } = front.address() as AddressInfo
  console.log(`The mock of Gloss listens on http://${host}:${bound}`)
  const stop = (): void => process.exit()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  prism.process.once('exit', () => {
    console.error('Prism has ended, and the mock with it.')
    process.exit(1)
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}
