/** A mock goes on when the contract is edited under it. It runs in a copy of the project, since others read the contract. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { send } from '../support/service.ts'
import { startMock, ROOT, type Mock } from './bases.ts'

const COPIED = ['command', 'common', 'generated', 'mock', 'packages', 'src', 'package.json']

describe.each([[[]], [['--stateful']]])('the mock with %j', (args) => {
  const folder = mkdtempSync(join(tmpdir(), 'gloss-reload-'))
  const contract = join(folder, 'generated/openapi.yaml')
  let mock: Mock
  let original: string

  beforeAll(async () => {
    for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    original = readFileSync(contract, 'utf8')
    mock = await startMock(args, {}, folder)
  })
  afterAll(async () => {
    await mock.stop()
    rmSync(folder, { recursive: true })
  })

  const example = async (): Promise<unknown> => {
    const { status, body } = await send(mock.url, 'GET', '/users/alice', {
      as: 'alice',
      query: { __code: '200' },
    })
    return [status, (JSON.parse(body.toString()) as { name: string }).name]
  }
  const title = async (): Promise<string> => {
    const answer = await send(mock.url, 'GET', '/openapi.json', {})
    return (answer.json() as { info: { title: string } }).info.title
  }

  test('answers the same after the file was written again', async () => {
    expect(await example()).toEqual([200, 'Alice Liddell'])
    writeFileSync(contract, original)
    utimesSync(contract, new Date(), new Date())
    expect(await example()).toEqual([200, 'Alice Liddell'])
  })

  test('answers with the new contract after an edit', async () => {
    const before = await title()
    const reloaded = mock.printed(/contract/)
    writeFileSync(
      contract,
      original.replaceAll('Alice Liddell', 'Alicia').replace(`title: ${before}`, 'title: Edited'),
    )
    expect(await reloaded).toBe('The contract changed: reloaded.')
    expect(await example()).toEqual([200, 'Alicia'])
    expect(await title()).toBe('Edited')
  })

  test.each([
    ['is no YAML', (text: string) => `broken: [\n${text}`],
    ['is no contract', () => 'title: Edited'],
  ])('keeps the former contract while the file %s, and says why', async (_, content) => {
    const before = [await example(), await title()]
    const said = mock.printed(/contract/)
    writeFileSync(contract, content(original))
    expect(await said).toMatch(/^The contract changed and cannot be read; the mock keeps the former one: \S/)
    expect([await example(), await title()]).toEqual(before)
    const reloaded = mock.printed(/contract/)
    writeFileSync(contract, original)
    expect(await reloaded).toBe('The contract changed: reloaded.')
    expect(await example()).toEqual([200, 'Alice Liddell'])
  })
})
