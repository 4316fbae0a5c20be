/** The software bill of materials has what the service loads in production and what the console is made of, each with its version and licence. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { billOfMaterials, bundledPackages } from '../../scripts/sbom.ts'

interface Locked {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Readonly<Record<string, Locked>> }
const bill = billOfMaterials()

/** The place of a package as one at another place finds it: Node looks beside that one, and then further out. */
function placeOf(name: string, from: string): string {
  const own = `${from}/node_modules/${name}`.replace(/^\//, '')
  if (from === '' || own in packages) return own
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

/** The places of all that the package at a place needs, on this system or another one. */
function neededBy(place: string, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies, optionalDependencies, peerDependencies } = packages[place] ?? {}
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
    const needed = placeOf(name, place)
    // A peer may be for those who want it.
    const isAbsent = dependencies?.[name] === undefined && !(needed in packages)
    if (isAbsent || found.has(needed)) continue
    found.add(needed)
    neededBy(needed, found)
  }
  return found
}

/** The packages that the sources of the console import, be it on demand. */
function importedByConsole(): string[] {
  const root = new URL('../../', import.meta.url)
  const texts = globSync('console/src/**/*.{ts,tsx}', { cwd: root }).map((file) =>
    readFileSync(new URL(file, root), 'utf8'),
  )
  const specifiers = texts.flatMap((text) => [
    ...text.matchAll(/(?:\w from|\} from|import\() ?'([^.'][^']*)'/g),
  ])
  const names = specifiers.map(([, specifier]) => /^(@[^/]+\/)?[^/]+/.exec(specifier ?? '')?.[0] ?? '')
  return [...new Set(names)]
}

test('it has what is bundled into the console, of which the licences are served', () => {
  const bundled = bundledPackages().map((one) => one.slice(0, one.lastIndexOf('@')))
  expect(bundled).toEqual(expect.arrayContaining(['preact', ...importedByConsole()]))
  expect(bill.components.map(({ name }) => name)).toEqual(expect.arrayContaining(bundled))
})

test('it has every package that the service needs, and no tool but the Node that it runs on', () => {
  const needed = [...neededBy(''), 'node_modules/node']
  const wanted = needed.map(
    (place) => `${place.split('node_modules/').at(-1) ?? ''}@${String(packages[place]?.version)}`,
  )
  wanted.push(...bundledPackages())
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`)
  expect(wanted.length).toBeGreaterThan(100)
  expect(listed.toSorted()).toEqual([...new Set(wanted)].toSorted())
})

test('every package has a licence and a package URL', () => {
  const lacking = bill.components.filter(
    ({ licenses = [], purl }) => licenses.length === 0 || !purl.startsWith('pkg:npm/'),
  )
  expect(lacking.map(({ name }) => name)).toEqual([])
})

test('it is CycloneDX, of the service, and whatever it refers to is in it', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'gloss' } } })
  const refs = [bill.metadata.component, ...bill.components].map((component) => component['bom-ref'])
  expect(bill.dependencies.map(({ ref }) => ref).toSorted()).toEqual(refs.toSorted())
  expect(
    bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.includes(ref)),
  ).toEqual([])
})

test('it names neither a folder nor a registry', () => {
  const { $schema, ...rest } = bill as typeof bill & { $schema: string }
  expect($schema).toMatch(/^http:\/\/cyclonedx\.org\//)
  expect(JSON.stringify(rest)).not.toMatch(/https?:\/\/|file:|"\//)
})
