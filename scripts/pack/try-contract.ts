/** Installs the contract into an empty folder, and uses it there. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifest } from './root.ts'
import { compile, emptyFolder, insist, run } from './sandbox.ts'

/** Uses the contract as data and as types. */
const OF_CONTRACT = `
import type { components, paths } from '@gloss/contract'
import contract from '@gloss/contract/openapi.json' with { type: 'json' }
import older from '@gloss/contract/openapi-3.0.json' with { type: 'json' }

type Found = paths['/objects']['get']['responses'][200]['content']['application/json']
export const found: Found = { ids: ['019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4'] }
export const permission: components['schemas']['Permission'] = { policy: 'open', exceptions: [] }
// @ts-expect-error There is no such path.
export type None = paths['/nothing']
console.log(contract.info.version, older.openapi)
`

/** Installs the contract, and checks the types of a program with it and what it prints. */
export async function tryContract(file: string): Promise<void> {
  const folder = emptyFolder('contract')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', file], folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'use.ts'), OF_CONTRACT)
  await compile(['use.ts'], folder)
  const printed = (await run(process.execPath, ['use.ts'], folder)).trim()
  insist(printed === `${manifest.version} 3.0.3`, `the contract is ${printed}`)
}
