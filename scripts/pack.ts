/** Makes the packages that users install, in var/packages (`npm run pack`). */
import { mkdirSync } from 'node:fs'
import { relative } from 'node:path'
import { stageContract } from './pack/contract.ts'
import { packNpm, stageClient, stageMock, stageService } from './pack/npm.ts'
import { packPython, stagePython } from './pack/python.ts'
import { ROOT, STAGE } from './pack/root.ts'
import { argumentsOf, oneOf, operand, several } from './usage.ts'

/** The function for each package, which returns the file. None is published. */
const PACKAGES = {
  client: () => packNpm(stageClient()),
  'client-python': () => packPython(stagePython()),
  contract: () => packNpm(stageContract()),
  gloss: () => packNpm(stageService()),
  mock: () => packNpm(stageMock()),
} satisfies Readonly<Record<string, () => string>>

type Name = keyof typeof PACKAGES
const NAMES = Object.keys(PACKAGES) as Name[]

/** Makes these packages, or all; returns their files by name. */
export function pack(names: readonly Name[] = NAMES): Partial<Record<Name, string>> {
  mkdirSync(STAGE, { recursive: true })
  return Object.fromEntries(names.map((name) => [name, PACKAGES[name]()]))
}

if (import.meta.main) {
  const { names } = argumentsOf({
    name: 'npm run pack --',
    does: 'Makes packages of what others install, in var/packages, and prints their files.',
    options: { names: operand(several(oneOf('NAME', NAMES), 'a package', NAMES)) },
  })
  try {
    for (const file of Object.values(pack(names))) console.log(relative(ROOT, file))
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
