/** Sorts test files by how likely they detect a fault of a module. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** The importing files of each module. All paths are relative to the root. */
export type Importers = ReadonlyMap<string, readonly string[]>

/** Tests with browsers take long, and cover little of the code behind a page. */
const SLOW = /^test\/(?:console|pages)\//

/** The imports in the tested code and in the tests. */
export function importersIn(root: string): Importers {
  const importers = new Map<string, string[]>()
  for (const file of globSync('{src,common,command,packages,scripts,test,generated,mock}/**/*.ts', {
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

/** The number of imports from files to a module, for all files that reach it. */
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
 * The test files for a module: those that import it, then those that reach it, then all others, such as those that start
 * the service as a process. Among equals, files whose names share words with the module come first.
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
