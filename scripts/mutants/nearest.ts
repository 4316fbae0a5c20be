/** Test files in the order in which they are likely to notice a fault of a module. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** By module, the files that import it. All are named from the root. */
export type Importers = ReadonlyMap<string, readonly string[]>

/** Browsers take long, and show little of what is behind a page. */
const SLOW = /^test\/(?:console|pages)\//

/** Who imports whom, in what is tested and in the tests. */
export function importersIn(root: string): Importers {
  const importers = new Map<string, string[]>()
  for (const file of globSync('{src,shared,command,packages,scripts,test,generated,mock}/**/*.ts', {
    cwd: root,
  })) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'))
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue
      const imported = join(dirname(file), fileName)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  return importers
}

/** How many imports lead from files to a module, for all that reach it. */
function distancesTo(module: string, importers: Importers): Map<string, number> {
  const distances = new Map([[module, 0]])
  for (const [file, distance] of distances) {
    for (const importer of importers.get(file) ?? [])
      if (!distances.has(importer)) distances.set(importer, distance + 1)
  }
  return distances
}

const wordsOf = (path: string): string[] => path.replace(/\.ts$/, '').split(/[^a-z0-9]+/)

/**
 * The test files for a module: those that import it, those that reach it, and all others, such as those that start the service
 * as a process; among equals first those whose names have words of the module's.
 */
export function testsFor(module: string, tests: readonly string[], importers: Importers): string[] {
  const distances = distancesTo(module, importers)
  const words = new Set(wordsOf(module))
  const shared = (test: string): number => wordsOf(test).filter((word) => words.has(word)).length
  const step = (test: string): number => {
    const distance = distances.get(test)
    return distance === undefined ? 2 : distance === 1 ? 0 : 1
  }
  return tests
    .filter((test) => !SLOW.test(test) || step(test) === 0)
    .map((test) => ({ test, keys: [step(test), -shared(test), distances.get(test) ?? 0] }))
    .sort((a, b) => compare(a.keys, b.keys) || (a.test < b.test ? -1 : 1))
    .map(({ test }) => test)
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [i, key] of a.entries()) if (key !== b[i]) return key - (b[i] ?? 0)
  return 0
}
