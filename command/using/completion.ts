/** `gloss completion`: prints the completion script for a shell. */
import { misuse } from '../../common/failure.ts'
import { SCRIPTS } from './completion-scripts.ts'

export async function run([shell = '']: readonly string[]): Promise<undefined> {
  const script = SCRIPTS.get(shell)
  if (script === undefined) {
    throw misuse(
      `there is no completion for '${shell}'`,
      `there is one for ${[...SCRIPTS.keys()].join(', ')}`,
    )
  }
  process.stdout.write(script)
  return undefined
}
