/** ARCHITECTURE has one line for each file of the folders that it goes through file by file. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = dirname(dirname(import.meta.dirname))
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

test.each(['src/http'])('%s', (folder) => {
  const [, section = ''] = architecture.split(`## \`${folder}\`, file by file\n`)
  const [table = ''] = section.split('\n## ')
  const listed = Array.from(table.matchAll(/^\| `([\w.-]+)` /gm), ([, file]) => file)
  expect(listed.toSorted()).toEqual(readdirSync(join(root, folder)).toSorted())
})
