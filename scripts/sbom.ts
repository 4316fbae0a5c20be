/**
 * Prints a software bill of materials, CycloneDX as JSON: every package that the service loads in production, those in
 * the bundle of the console, and the Node that runs the service (`npm run --silent sbom`). Versions come from the lock
 * file and from Vite's bundle, so the bill contains no paths and no registries.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildConsole } from './build-console.ts'
import { argumentsOf } from './usage.ts'

const root = dirname(import.meta.dirname)

/** The development package that provides the pinned Node. */
const RUNTIME = 'node'

/** A package in the bill. */
export interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly unknown[]
}

/** The parts of npm's bill that this script uses. */
export interface Bill {
  readonly bomFormat: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Lock {
  readonly name: string
  /** The packages by path below the root. */
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dev?: boolean }>>
}

/**
 * The bill of the packages for production. npm writes it for all packages, because its own `--omit dev` also omits
 * packages that both the service and a tool need.
 */
export function billOfMaterials(): Bill {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${error?.message ?? stderr}`)
  return forProduction(JSON.parse(stdout) as Bill)
}

/**
 * A bill without packages that only development needs. The packages in the bundle of the console are part of the
 * delivery.
 */
function forProduction(bill: Bill): Bill {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  // npm lists a version once, although only some of its copies may be for development.
  const needed = new Set(
    Object.entries(lock.packages)
      .filter(([place, { dev }]) => dev !== true || place === `node_modules/${RUNTIME}`)
      .map(([place, { version }]) => `${place.split('node_modules/').at(-1) ?? ''}@${version}`),
  )
  for (const bundled of bundledPackages()) needed.add(bundled)
  const components = bill.components.filter(({ name, version }) => needed.has(`${name}@${version}`))
  // npm names the component after its folder.
  const metadata = { ...bill.metadata, component: { ...bill.metadata.component, name: lock.name } }
  const refs = new Set([metadata.component, ...components].map((component) => component['bom-ref']))
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }))
  return { ...bill, metadata, components, dependencies }
}

/** The packages in the console, each as `name@version`; Vite writes their licences. */
export function bundledPackages(): string[] {
  buildConsole()
  const licences = readFileSync(join(root, 'console', 'built', 'assets', 'licenses.md'), 'utf8')
  return Array.from(
    licences.matchAll(/^## (\S+) - (\S+) \(/gm),
    ([, name, version]) => `${name ?? ''}@${version ?? ''}`,
  )
}

if (import.meta.main) {
  argumentsOf({
    name: 'npm run --silent sbom',
    does: 'Prints what the service loads in production, as CycloneDX in JSON.',
  })
  console.log(JSON.stringify(billOfMaterials(), undefined, 2))
}
