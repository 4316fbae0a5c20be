/** ARCHITECTURE has one line for each file of the folders that it goes through file by file. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from '@jest/globals'

const root = dirname(dirname(import.meta.dirname))
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

test.each([
  ['src/http', '## `src/http`, file by file\n'],
  ['src/data', '## `src/data`, from the top down\n'],
])('ARCHITECTURE lists every file of %s', (folder, heading) => {
  const [, section = ''] = architecture.split(heading)
  const [table = ''] = section.split('\n## ')
  const listed = Array.from(table.matchAll(/^\| `([\w./-]+)` /gm), ([, file]) => file)
  const files = globSync('**/*.ts', { cwd: join(root, folder), exclude: ['**/migrations/*'] })
  const folders = globSync('**/migrations', { cwd: join(root, folder) })
  expect(listed.toSorted()).toEqual([...files, ...folders].toSorted())
})
