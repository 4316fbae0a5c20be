/** `gloss open`: the address of an object in the console, and a browser at it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { gloss, useEmptyHome, type Ended } from '../support/gloss.ts'
import { startService, type Service } from '../support/service.ts'

let service: Service
const home = useEmptyHome()
beforeAll(async () => {
  service = await startService()
  await service.ok('PUT', '/about/https%3A%2F%2Fexample.org%2Fa%20book/alice/rating', {
    as: 'alice',
    primitive: '9',
  })
})
afterAll(() => service.stop())

const run = (args: readonly string[], env = {}, columns?: number): Promise<Ended> =>
  gloss(['open', ...args], {
    env: { GLOSS_URL: service.url, ...env },
    ...(columns === undefined ? {} : { columns }),
  })

const OBJECT = '#/object/about/https%3A%2F%2Fexample.org%2Fa%20book'

test.each([
  [[], ''],
  [['https://example.org/a book'], OBJECT],
  [['6f1b2c3d-0000-4000-8000-00000000ABCD'], '#/object/id/6f1b2c3d-0000-4000-8000-00000000abcd'],
])('%j is in the console at its own address', async (args, fragment) => {
  expect(await run(args)).toEqual({ status: 0, stdout: `${service.url}/console/${fragment}\n`, stderr: '' })
})

test('what nobody has mentioned is not opened', async () => {
  const { status, stdout, stderr } = await run(['book:Dnue'])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain("there is no object about 'book:Dnue'")
})

test('a browser is opened on a terminal only', async () => {
  const [program, opened] = [join(home.folder, 'xdg-open'), join(home.folder, 'opened')]
  writeFileSync(program, `#!/bin/sh\necho "$1" > ${opened}.part\nmv ${opened}.part ${opened}\n`)
  chmodSync(program, 0o755)
  const env = { PATH: `${home.folder}:${process.env.PATH ?? ''}` }
  await run(['https://example.org/a book'], env)
  expect(existsSync(opened)).toBe(false)
  expect((await run(['https://example.org/a book'], env, 200)).status).toBe(0)
  // The command does not wait for the browser.
  while (!existsSync(opened)) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(readFileSync(opened, 'utf8')).toBe(`${service.url}/console/${OBJECT}\n`)
})

test('without a program that opens addresses, the address is enough', async () => {
  // What makes the terminal is all that is there.
  for (const program of ['script', 'stty']) {
    symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), join(home.folder, program))
  }
  const { status, stdout } = await run([], { PATH: home.folder }, 80)
  expect({ status, stdout: stdout.trim() }).toEqual({ status: 0, stdout: `${service.url}/console/` })
})
