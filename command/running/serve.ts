/** `gloss serve`: the service itself, in this process. */
import { readEnvFile } from '../settings/env-file.ts'
import { continueGivingBack } from '../../src/memory/memory.ts'

export async function run(): Promise<undefined> {
  // The service restarts itself for the sake of its memory: here, before anything of it is loaded.
  continueGivingBack()
  readEnvFile()
  await import('../../src/main.ts')
  return undefined
}
