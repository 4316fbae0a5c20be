/** After tests on MySQL: ends the private server, if there is one. */
import './global-setup.ts'

export default async function globalTeardown(): Promise<void> {
  await globalThis.mysqlServer?.stop()
}
