/** Installs the client for TypeScript into an empty folder, with the scenario and the application of its README. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './root.ts'
import { compile, emptyFolder, insist, run } from './sandbox.ts'

const SCENARIO = 'clients/scenario.ts'
const APPLICATION = 'application.ts'

/** Programs that use the installed client. */
export interface InstalledClient {
  /** Runs the scenario with these settings; returns what it prints. */
  readonly runScenario: (settings: Readonly<Record<string, string>>) => Promise<string>
  /** Runs the application as the user `typescript`. Throws if it prints anything but what the README says. */
  readonly runApplication: () => Promise<void>
}

/** Installs the client and compiles programs with it, which call the service at `url`. Throws if that fails. */
export async function installClient(file: string, url: string): Promise<InstalledClient> {
  const folder = emptyFolder('client')
  await run(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', file],
    folder,
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeScenario(folder)
  const printed = writeApplication(folder, url)
  await compile([SCENARIO, APPLICATION], folder)
  return {
    runScenario: (settings) => run(process.execPath, [SCENARIO], folder, settings),
    async runApplication() {
      const output = await run(process.execPath, [APPLICATION], folder)
      insist(output === printed, `the application in the README prints ${output}`)
    },
  }
}

function writeScenario(folder: string): void {
  mkdirSync(join(folder, 'clients'))
  const program = readFileSync(join(ROOT, 'clients/openapi-typescript/scenario.ts'), 'utf8')
  const installed = program.replace('../../packages/client/index.ts', '@gloss/client')
  insist(installed !== program, 'the scenario does not import the client')
  writeFileSync(join(folder, SCENARIO), installed)
  cpSync(join(ROOT, 'clients/scenario.ts'), join(folder, 'scenario.ts'))
}

/** The application also prints the versions of the contract and of the package if they differ. */
const COMPARE_VERSIONS = `import { contractVersion } from '@gloss/client'
import manifest from '@gloss/client/package.json' with { type: 'json' }
if (contractVersion !== manifest.version) console.log(contractVersion, manifest.version)
`

/** Writes the application for this service and the user of the scenario; returns what it prints. */
function writeApplication(folder: string, url: string): string | undefined {
  const readme = readFileSync(join(folder, 'node_modules/@gloss/client/README.md'), 'utf8')
  const [, program = '', printed] = /```ts\n([^]*?)```[^]*?```\n([^]*?)```/.exec(readme) ?? []
  const here = program.replace('http://127.0.0.1:8080', url).replaceAll('alice', 'typescript')
  writeFileSync(join(folder, APPLICATION), here + COMPARE_VERSIONS)
  return printed
}
