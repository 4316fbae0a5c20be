/** Styles stay where they were loaded, whatever view is shown next: each class has one folder of the console, or is for all. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const SOURCES = join(import.meta.dirname, '../../console/src')
/** Where classes are declared that any part may use, and parts that others use. */
const FOR_ALL = ['styles', 'parts']
/** Parts of pages that lie in others: what may be shown where. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  tree: ['thing'],
  permissions: ['object', 'thing'],
  chart: ['facets', 'map'],
}

const filesOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: SOURCES }).map((file) => file.replaceAll('\\', '/'))
const read = (file: string): string => readFileSync(join(SOURCES, file), 'utf8')

/** The classes with which rules begin, with the folders that have such rules. */
function declared(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const file of filesOf('**/*.css')) {
    const rules = read(file).replace(/\/\*.*?\*\//gs, '')
    for (const [, selectors = ''] of rules.matchAll(/([^{}]+)\{/g)) {
      for (const selector of selectors.split(',')) {
        const [, name] = /^\.([\w-]+)/.exec(selector.trim()) ?? []
        if (name !== undefined) folders.set(name, (folders.get(name) ?? new Set()).add(dirname(file)))
      }
    }
  }
  return folders
}

/** The classes that markup has, with the folders in which it stands. */
function used(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const file of filesOf('**/*.tsx')) {
    for (const [, ...forms] of read(file).matchAll(/class=(?:"([^"]*)"|\{`([^`]*)`\}|\{([^}]*)\})/g)) {
      for (const [name] of forms.join(' ').matchAll(/[\w-]+/g)) {
        folders.set(name, (folders.get(name) ?? new Set()).add(dirname(file)))
      }
    }
  }
  return folders
}

test('no part of the console has the styles of another one', () => {
  const places = used()
  const astray = [...declared()].flatMap(([name, owners]) => {
    if (FOR_ALL.some((folder) => owners.has(folder))) return []
    const allowed = [...owners].flatMap((owner) => [owner, ...(WITHIN[owner] ?? [])])
    return [...(places.get(name) ?? [])]
      .filter((place) => !allowed.includes(place))
      .map((place) => `${place}: .${name}`)
  })
  expect(astray).toEqual([])
})

test('classes are found', () => {
  expect([...declared().keys()]).toContain('facet')
  expect([...used().keys()]).toContain('facet')
})
