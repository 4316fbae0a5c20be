/** The console loads little at first, and little on demand. */
import { expect, test } from '@jest/globals'
import { buildConsole } from '../../scripts/build-console.ts'
import { bytesOf, consoleFiles, consoleTable } from '../../scripts/console-sizes.ts'

const FIRST_BYTES = 60_000
const ALL_BYTES = 150_000

buildConsole()
const files = consoleFiles()

test('what the page loads first is small, and has a script and a style', () => {
  const first = files.filter((file) => file.first)
  const kinds = first.map(({ name }) => name.replace(/.*\./, ''))
  expect(kinds).toEqual(expect.arrayContaining(['html', 'css', 'js']))
  expect(bytesOf(first)).toBeLessThanOrEqual(FIRST_BYTES)
})

test('all of it is small, and each view is loaded on demand', () => {
  expect(files.filter((file) => !file.first).length).toBeGreaterThan(5)
  expect(bytesOf(files)).toBeLessThanOrEqual(ALL_BYTES)
})

test('the table has a line for each file, marks what is loaded first, and adds up', () => {
  const table = consoleTable([
    { name: 'assets/index.js', bytes: 1200, first: true },
    { name: 'assets/map.js', bytes: 300, first: false },
  ])
  expect(table.slice(1).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ['* assets/index.js', '1200'],
    ['assets/map.js', '300'],
    ['* loaded first', '1200'],
    ['all', '1500'],
  ])
})
