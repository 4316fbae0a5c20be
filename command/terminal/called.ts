/** How the user can start the command in this folder, for hints. */
import { realpathSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { ROOT } from '../../src/settings/version.ts'

const LOCAL = join('node_modules', '.bin')

/**
 * `gloss` if it is on the PATH, or else its file below the current folder, or else the file that runs. npm and npx put
 * `node_modules/.bin` on the PATH of the programs that they start, where the shell of the user may not have it.
 */
function called(): string {
  const ofNpm = process.env['npm_execpath'] !== undefined
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !(ofNpm && folder.endsWith(LOCAL)))
  if (folders.some((folder) => isOurs(join(folder, 'gloss')))) return 'gloss'
  return [join(LOCAL, 'gloss'), join(ROOT, LOCAL, 'gloss')].find(isOurs) ?? process.argv[1] ?? 'gloss'
}

/** Whether a file belongs to this package, also by a link. */
function isOurs(file: string): boolean {
  try {
    return realpathSync(file).startsWith(`${ROOT}${sep}`)
  } catch {
    return false
  }
}

/** A hint with each command line, such as `gloss login`, as the user can type it here. */
export const typeable = (hint: string): string =>
  hint.replace(/(?<![\w/.-])gloss (?=[a-z]|--)/g, `${called()} `)
