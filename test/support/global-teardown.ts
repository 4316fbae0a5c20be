/** After tests on MySQL: stops the private server, if any. */
import './global-setup.ts'

export default async function globalTeardown(): Promise<void> {
  await globalThis.mysqlServer?.stop()
}
