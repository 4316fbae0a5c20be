/** The application in the README of the client for TypeScript runs, and prints what the README says. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { ROOT } from '../../scripts/pack/root.ts'
import { PASSWORD, startService } from '../support/service.ts'

test('the application in the README runs', async () => {
  const readme = readFileSync(join(ROOT, 'packages/client/README.md'), 'utf8')
  const [, program = '', printed] = /```ts\n([^]*?)```[^]*?```\n([^]*?)```/.exec(readme) ?? []
  const folder = join(ROOT, 'var', `readme-${process.pid}`)
  const service = await startService()
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'application.ts'),
      program
        .replace('@gloss/client', '../../packages/client/index.ts')
        .replace('http://127.0.0.1:8080', service.url)
        .replace('wonderland', PASSWORD),
    )
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'application.ts')])
    expect(stdout).toBe(printed)
  } finally {
    rmSync(folder, { recursive: true })
    await service.stop()
  }
})
