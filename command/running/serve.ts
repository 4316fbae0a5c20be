/** `gloss serve`: runs the service in this process. */
import { readEnvFile } from '../settings/env-file.ts'

interface Options {
  readonly new?: true
}

export async function run(_args: readonly string[], options: Options): Promise<undefined> {
  readEnvFile()
  if (options.new) process.env['NEW_STORE'] = 'make'
  await import('../../src/main.ts')
  return undefined
}
