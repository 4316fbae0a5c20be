/** What sessions are told at their beginning, to engines that know different settings. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { createServer, type Connection } from 'mysql2'
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { waitsFor } from '../../src/data/database/connection/waits.ts'

interface Refusal {
  readonly code: number
  readonly message: string
}

type Peer = Connection & {
  serverHandshake(options: object): void
  writeOk(): void
  writeTextResult(rows: readonly object[], columns: readonly object[]): void
  writeError(refusal: Refusal): void
}

// The driver's server numbers packets otherwise than its client expects, which it says.
beforeAll(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterAll(() => {
  jest.restoreAllMocks()
})

const COLUMN = { catalog: 'def', schema: '', table: '', orgTable: '', name: 'Value', orgName: 'Value' }
const COLUMNS = [{ ...COLUMN, characterSet: 45, columnLength: 9, columnType: 253, flags: 0, decimals: 0 }]

const unknown = (name: string): Refusal => ({ code: 1193, message: `Unknown system variable '${name}'` })

/** What a session sends to an engine that refuses statements with some words in them. */
const told = async (refusals: Readonly<Record<string, Refusal>>): Promise<string[]> =>
  (await toldInTurn(refusals, 1))[0] ?? []

/** What each of some sessions sends, one after the other. */
async function toldInTurn(
  refusals: Readonly<Record<string, Refusal>>,
  sessions: number,
): Promise<string[][]> {
  const statements: string[] = []
  const server = createServer((connection) => {
    const peer = connection as unknown as Peer
    peer.serverHandshake({
      protocolVersion: 10,
      serverVersion: '8.4',
      connectionId: 1,
      statusFlags: 2,
      characterSet: 8,
      capabilityFlags: 0xffffff ^ 0x820,
    })
    peer.on('error', () => undefined)
    const answer = (statement: string): void => {
      // What it is comes first; this one says nothing of it.
      if (statement.startsWith('SHOW ')) {
        peer.writeTextResult([], COLUMNS)
        return
      }
      statements.push(statement)
      const refusal = Object.keys(refusals).find((word) => statement.includes(word))
      if (refusal !== undefined) peer.writeError(refusals[refusal] as Refusal)
      else peer.writeOk()
    }
    peer.on('query', answer)
    // The driver's server takes what begins with SET for this.
    peer.on('stmt_prepare', answer)
  })
  server.listen(0)
  const { _server: net } = server as unknown as { _server: Server }
  await once(net, 'listening')
  const { port } = net.address() as AddressInfo
  try {
    const all: string[][] = []
    for (let i = 0; i < sessions; i++) {
      const session = await openSession(`mysql://u:p@127.0.0.1:${String(port)}/d`, 'read', waitsFor(60_000))
      await session.close()
      all.push(statements.splice(0))
    }
    return all
  } finally {
    net.close()
  }
}

describe('an engine', () => {
  test('is told everything at once if it knows everything', async () => {
    const [isolation, settings, ...rest] = await told({})
    expect(isolation).toBe('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    expect(settings).toMatch(/^SET sql_mode = .*, autocommit = 0, .*, wsrep_sync_wait = 1, /)
    expect(settings).toContain(`, group_replication_consistency = 'BEFORE', `)
    expect(settings).toContain(', max_statement_time = 8, max_execution_time = 8000')
    expect(rest).toEqual([expect.stringMatching(/^SELECT /)])
  })

  const LACKING = {
    optimizer_switch: { code: 1238, message: "Variable 'optimizer_switch' is a read only variable" },
    wsrep: unknown('wsrep_sync_wait'),
    hostname: unknown('hostname'),
  }

  test('goes without the settings that it does not know, or lets no session change', async () => {
    const statements = await told(LACKING)
    expect(statements).toContainEqual(expect.stringMatching(/^SET sql_mode = .*, autocommit = 0$/))
    expect(statements).toContain('SET max_execution_time = 8000')
  })

  test('is told all others at once by the next session', async () => {
    const [, [isolation, settings, ...rest] = []] = await toldInTurn(LACKING, 2)
    expect(isolation).toMatch(/^SET SESSION TRANSACTION/)
    expect(settings).toMatch(/^SET sql_mode = .*, autocommit = 0, .*, max_execution_time = 8000$/)
    expect(settings).not.toMatch(/optimizer_switch|wsrep/)
    expect(rest).toHaveLength(1)
  })

  test('is not used if it refuses a setting for another reason', async () => {
    const wrong = { code: 1231, message: "Variable 'wsrep_sync_wait' can't be set to the value of '1'" }
    await expect(told({ wsrep: wrong })).rejects.toMatchObject({ code: 'ER_WRONG_VALUE_FOR_VAR' })
  })

  test('is not used if it does not know what all engines must', async () => {
    await expect(told({ sql_mode: unknown('sql_mode') })).rejects.toMatchObject({
      code: 'ER_UNKNOWN_SYSTEM_VARIABLE',
    })
  })
})
