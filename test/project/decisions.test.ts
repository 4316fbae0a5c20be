/** The decisions: each page has a number, a date and a status, and the index has each page. */
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from '@jest/globals'

const FOLDER = new URL('../../docs/decisions/', import.meta.url)
const STATUS = 'accepted|(?:amended|superseded) by (?:\\d{4}(?:, )?)+'
const HEAD = new RegExp(`^# (\\d+)\\. (.+)\\n\\nDate: (\\d{4}-\\d\\d-\\d\\d)\\nStatus: (${STATUS})\\n\\n`)

const read = (file: string): string => readFileSync(new URL(file, FOLDER), 'utf8')
const files = globSync('*.md', { cwd: FOLDER }).filter((file) => file !== 'README.md')
const pages = files.sort().map((file) => {
  const [, number = '', title, date, status = ''] = HEAD.exec(read(file)) ?? []
  return { file, number: number.padStart(4, '0'), title, date, status }
})

test.each(pages)('$file begins with its number, a title, a date and a status', ({ file, number, title }) => {
  expect(title).toBeDefined()
  expect(basename(file).slice(0, 5)).toBe(`${number}-`)
})

test('no two decisions have the same number', () => {
  const numbers = pages.map(({ number }) => number)
  expect(numbers.filter((number, i) => numbers.indexOf(number) < i)).toEqual([])
})

test('what supersedes or amends a decision is there, and came later', () => {
  const followed = pages.flatMap(({ number, status }) =>
    (status.match(/\d{4}/g) ?? []).map((later) => ({ number, later })),
  )
  const known = pages.map(({ number }) => number)
  expect(followed.filter(({ number, later }) => !known.includes(later) || later <= number)).toEqual([])
})

test('the index has a row for each decision, in order', () => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => /^\| +\[/.test(line))
  const listed = rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
  expect(listed).toEqual(
    pages.map(({ file, number, title, date, status }) => [`[${number}](${file})`, title, date, status]),
  )
})
