/** The client for Python: it runs the scenario of all generated clients and keeps its own promises. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { faults, STEPS } from '../../clients/scenario.ts'
import { stagePython } from '../../scripts/pack/python.ts'
import { startBase } from '../consumer/bases.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let service: Service
let library: string
beforeAll(async () => {
  service = await startService()
  library = stagePython(mkdtempSync(join(tmpdir(), 'gloss-python-')))
})
afterAll(async () => {
  await service.stop()
  rmSync(library, { recursive: true })
})

/** Runs a program with the client; returns what it prints. Throws with its errors if it fails. */
async function python(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const own = { PYTHONPATH: library, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' }
  const child = spawn('python3', args, { cwd: ROOT, env: { ...process.env, ...own, ...env } })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${output}${errors}`)
  return output
}

test('runs the scenario without faults', async () => {
  const env = { GLOSS_URL: service.url, GLOSS_ADMIN_PASSWORD: PASSWORD, GLOSS_USER: 'dora' }
  const printed = await python(['clients/gloss-client/scenario.py'], env)
  expect(printed.trim().split('\n')).toHaveLength(STEPS.length)
  expect(await faults(service.url, PASSWORD, 'dora', printed)).toEqual([])
})

test('keeps its promises', async () => {
  const env = { GLOSS_URL: service.url, GLOSS_PASSWORD: PASSWORD }
  expect((await python(['test/clients/promises.py'], env)).trim().split('\n')).toHaveLength(8)
})

test('reads the examples of the mock', async () => {
  const mock = await startBase('mock')
  try {
    const program = `
from gloss_client import Client
client = Client("${mock.url}", "alice", "${mock.password}")
client.write_value("alice/books/rating", 2**60, about="book:Dune")
print(client.read_value("alice/books/rating", about="book:Dune"), client.get_user("alice")["name"])`
    expect(await python(['-c', program], {})).toBe('9 Alice Liddell\n')
  } finally {
    await mock.stop()
  }
})
