/** The client for TypeScript has the whole contract, and is small. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { OPERATIONS } from '../../generated/operations.ts'
import { contractVersion } from '../../packages/client/index.ts'
import { ROOT } from '../../scripts/pack/root.ts'

/** The most octets that a page with all of the client loads for it, after gzip. */
const MOST_OCTETS = 6000

test('the client is small', () => {
  // The bundler fails on objects of Jest's realm.
  const printed = execFileSync(process.execPath, ['scripts/client-size.ts'], { cwd: ROOT, encoding: 'utf8' })
  expect(Number(printed)).toBeGreaterThan(1000)
  expect(Number(printed)).toBeLessThanOrEqual(MOST_OCTETS)
})

test('the client has the version of the contract, and a method for each operation but single values and documents', () => {
  const { info, paths } = parse(readFileSync(join(ROOT, 'generated/openapi.yaml'), 'utf8')) as {
    info: { version: string }
    paths: Record<string, Record<string, { operationId?: string; tags?: string[] }>>
  }
  expect(contractVersion).toBe(info.version)
  const wanted = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId = '', tags = [] }]) =>
      /^(|(get|put)Value(ByAbout)?)$/.test(operationId) || method === 'head' || tags.includes('documents')
        ? []
        : [[operationId, [method.toUpperCase(), path]]],
    ),
  )
  expect(OPERATIONS).toEqual(Object.fromEntries(wanted))
})
