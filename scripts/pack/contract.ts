/** Assembles the package of the contract. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { emptyFolder, writeManifest } from './npm.ts'
import { ROOT } from './root.ts'

/** The contract as YAML and JSON, in OpenAPI 3.1 and 3.0, with its types and changes. */
export function stageContract(folder = emptyFolder('contract')): string {
  const text = readFileSync(join(ROOT, 'generated/openapi.yaml'), 'utf8')
  const contract = parse(text) as object
  writeFileSync(join(folder, 'openapi.yaml'), text)
  for (const [name, document] of Object.entries({
    openapi: contract,
    'openapi-3.0': toOpenApi30(contract),
  })) {
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(document, undefined, 2)}\n`)
  }
  cpSync(join(ROOT, 'generated/openapi.d.ts'), join(folder, 'openapi.d.ts'))
  cpSync(join(ROOT, 'openapi/CHANGES.md'), join(folder, 'CHANGES.md'))
  writeManifest('contract', folder, {})
  return folder
}
