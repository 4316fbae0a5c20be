/** package-lock.json is whole, so that `npm ci` takes it on every system, from any registry. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { needsOf, placeOf, type Packages } from '../../scripts/pack/lock.ts'
import { ROOT } from '../../scripts/pack/root.ts'

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Packages
}
const { '': project, ...others } = packages

/** What packages need and the lock file does not have, be it only for another system. */
const missingIn = (some: Packages): string[] =>
  Object.entries(some).flatMap(([place, locked]) =>
    needsOf(locked)
      .filter((name) => placeOf(name, place, some) === undefined)
      .map((name) => `${name} of ${place}`),
  )

test('it has every package that another one needs, those for other systems too', () => {
  expect(project).toBeDefined()
  expect(missingIn(packages)).toEqual([])
})

test('a package for another system that it lacks is found', () => {
  const some = { 'node_modules/a': { dependencies: { b: '1' }, optionalDependencies: { 'b-win32': '1' } } }
  expect(missingIn({ ...some, 'node_modules/b': {} })).toEqual(['b-win32 of node_modules/a'])
})

test('every package has a checksum, and no address of a registry', () => {
  const places = Object.keys(others)
  const faults = places.filter((place) => {
    const { integrity, resolved } = others[place] ?? {}
    return integrity === undefined || resolved !== undefined
  })
  expect(faults).toEqual([])
})
