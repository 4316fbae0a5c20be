/** Assembles the package of the contract. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { apiOf, publish } from '../../src/documents/published.ts'
import { emptyFolder, writeManifest } from './npm.ts'
import { ROOT } from './root.ts'

/** The contract as it is published: as YAML and JSON, in OpenAPI 3.1 and 3.0, with its types and changes. */
export function stageContract(folder = emptyFolder('contract')): string {
  const contract = publish(parse(readFileSync(join(ROOT, 'generated/openapi.yaml'), 'utf8')) as object)
  const api = apiOf(contract)
  writeFileSync(join(folder, 'openapi.yaml'), stringify(contract))
  const documents = {
    openapi: contract,
    'openapi-api': api,
    'openapi-3.0': toOpenApi30(contract),
    'openapi-3.0-api': toOpenApi30(api),
  }
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(document, undefined, 2)}\n`)
  }
  cpSync(join(ROOT, 'generated/openapi.d.ts'), join(folder, 'openapi.d.ts'))
  cpSync(join(ROOT, 'openapi/CHANGES.md'), join(folder, 'CHANGES.md'))
  writeManifest('contract', folder, {})
  return folder
}
