/** `gloss serve`: runs the service in this process. */
import { readEnvFile } from '../settings/env-file.ts'

export async function run(): Promise<undefined> {
  readEnvFile()
  await import('../../src/main.ts')
  return undefined
}
