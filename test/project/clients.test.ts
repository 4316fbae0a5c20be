/** The contract has what generators need, and docs/clients.md agrees with the clients in clients/. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { CELLS } from '../../clients/cells.ts'
import { STEPS } from '../../clients/scenario.ts'
import { toolsTable } from '../../clients/tools.ts'
import { readContract } from '../../src/http/contract/contract.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8')
const page = read('docs/clients.md')

test('no two components of the contract have the same name', () => {
  const { components } = readContract() as { components: Record<string, object> }
  const names = Object.values(components).flatMap((kind) => Object.keys(kind))
  expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([])
})

test('no name in the contract breaks a language', () => {
  const found: string[] = []
  const look = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    const {
      properties = {},
      enum: values = [],
      ...rest
    } = part as {
      properties?: object
      enum?: readonly unknown[]
    }
    // A class of Python whose property is named int has no other ints.
    for (const name of Object.keys(properties)) if (PYTHON.includes(name)) found.push(`${path}/${name}`)
    // Enums of Kotlin have properties of their own.
    for (const value of values)
      if (KOTLIN.includes(String(value)) && !('x-enum-varnames' in part))
        found.push(`${path}: ${String(value)}`)
    for (const [key, inner] of Object.entries({ ...properties, ...rest })) look(inner, `${path}/${key}`)
  }
  look(readContract(), '')
  expect(found).toEqual([])
})

const PYTHON = ['int', 'float', 'bool', 'str', 'bytes', 'list', 'dict', 'object']
const KOTLIN = ['value', 'name', 'ordinal']

test('every line of code on the page comes from a program', () => {
  const programs = globSync('clients/*/*.{ts,mjs,py,java,kt,go,php,rb,rs}', { cwd: ROOT })
    .map(read)
    .map(words)
    .join('\n')
  const shown = [...page.matchAll(/^```(?!sh\n)\w+\n([^]*?)^```$/gm)].flatMap(([, code = '']) =>
    code.trim().split('\n'),
  )
  expect(shown.length).toBeGreaterThan(10)
  expect(shown.filter((line) => !programs.includes(words(line)))).toEqual([])
})

/** Code without its indentation and line breaks. */
const words = (code: string): string => code.replaceAll(/\s+/g, ' ').trim()

test('the page lists the same clients and steps as clients/', () => {
  const rows = [...page.matchAll(/^\| [\w ,]+ [\d.]+ +\| (.+?) +\| \[clients\/(.+?)\]/gm)]
  expect(rows.map(([, generator, folder]) => [folder, generator])).toEqual(
    CELLS.map(({ folder, generator }) => [folder, generator]),
  )
  const steps = [...page.matchAll(/^\d+\. \*\*(.+)\.\*\* (.*)$/gm)].map(([, name, does]) => [name, does])
  expect(steps).toEqual(STEPS.map(({ name, does }) => [name, does]))
})

test('the page has the table of tools', () => {
  const [, table = ''] = /<!-- tools -->([^]*)<!-- end of tools -->/.exec(page) ?? []
  // Prettier pads cells and lengthens rules.
  const plain = (text: string): string => words(text.replaceAll(/-{3,}/g, '---'))
  expect(plain(table)).toBe(plain(toolsTable(new Set())))
  for (const { generator } of CELLS) expect(table).toContain(`| ${generator} `)
})

test('a client that fails loses its marks in the table of tools', () => {
  const [before, after] = [new Set<string>(), new Set(['oapi-codegen'])].map(
    (red) =>
      toolsTable(red)
        .split('\n')
        .find((row) => row.includes('oapi-codegen')) ?? '',
  )
  expect(before).toContain('| yes | set | yes |')
  expect(after).toContain('| no | no | no |')
})
