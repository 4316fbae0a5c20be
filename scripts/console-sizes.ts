/** Lists the files of the built console that browsers load, with the size of each after gzip, in octets. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ROOT } from './digest.ts'

const BUILT = join(ROOT, 'console', 'built')
const PAGE = 'index.html'
/** A file that a user does not need to see the console. */
const LICENCES = 'assets/licenses.md'

/** A file of the console: its path in the console, and whether the page needs it to appear. */
export interface ConsoleFile {
  readonly name: string
  readonly bytes: number
  readonly first: boolean
}

/** All files, the largest first. */
export function consoleFiles(): ConsoleFile[] {
  const names = globSync([PAGE, 'assets/*'], { cwd: BUILT }).map((name) => name.replaceAll('\\', '/'))
  const first = withImports(PAGE)
  return names
    .filter((name) => name !== LICENCES)
    .map((name) => ({
      name,
      bytes: gzipSync(readFileSync(join(BUILT, name)), { level: 9 }).length,
      first: first.has(name),
    }))
    .sort((one, other) => other.bytes - one.bytes)
}

/** The files that a file loads: attributes of the page, and imports at the beginning of scripts. */
const LOADED = /(?:src|href)="\.\/(assets\/[^"]+)"|(?:\bfrom|\bimport)\s*"\.\/([^"]+)"/g

/** A file, and all files that the browser loads with it. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  if (!/\.(html|js)$/.test(name)) return found
  for (const [, asset, script = ''] of readFileSync(join(BUILT, name), 'utf8').matchAll(LOADED)) {
    withImports(asset ?? `assets/${script}`, found)
  }
  return found
}

/** The total size of files in octets. */
export const bytesOf = (files: readonly ConsoleFile[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes, 0)

/** A line for each file, and the sums. */
export function consoleTable(files: readonly ConsoleFile[]): string[] {
  const line = (name: string, bytes: number): string => `${name.padEnd(40)}${String(bytes).padStart(8)}`
  const first = files.filter((file) => file.first)
  return [
    'the console, gzip in octets',
    ...files.map((file) => line(`${file.first ? '*' : ' '} ${file.name}`, file.bytes)),
    line('* loaded first', bytesOf(first)),
    line('  all', bytesOf(files)),
  ]
}
