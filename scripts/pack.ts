/** Makes packages of what others install, in var/packages (`npm run pack`, or `npm run pack -- NAME …` for some). */
import { mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import { packNpm, stageClient, stageMock, stageService } from './pack/npm.ts'
import { packPython, stagePython } from './pack/python.ts'
import { ROOT, STAGE } from './pack/root.ts'

/** What makes each package; it returns the file. None is published. */
const PACKAGES: Readonly<Record<string, () => string>> = {
  client: () => packNpm(stageClient()),
  'client-python': () => packPython(stagePython()),
  gloss: () => packNpm(stageService()),
  'gloss-mock': () => packNpm(stageMock()),
}

/** Makes these packages, or all; returns their files by name. Throws a `RangeError` for a name that there is not. */
export function pack(names: readonly string[] = Object.keys(PACKAGES)): Record<string, string> {
  mkdirSync(STAGE, { recursive: true })
  const makers = names.map((name) => [name, makerOf(name)] as const)
  return Object.fromEntries(makers.map(([name, make]) => [name, make()]))
}

function makerOf(name: string): () => string {
  const make = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined
  if (make !== undefined) return make
  throw new RangeError(`No such package: ${name}. There are: ${Object.keys(PACKAGES).join(', ')}`)
}

if (import.meta.main) {
  const wanted = process.argv.slice(2)
  try {
    const files = wanted.length > 0 ? pack(wanted) : pack()
    for (const file of Object.values(files)) console.log(relative(ROOT, file))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
