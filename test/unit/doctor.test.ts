/** The judgements of `gloss doctor` about what a test cannot bring about on every machine. */
import { expect, test } from '@jest/globals'
import { arrivalChecks } from '../../command/running/doctor/arrival-checks.ts'
import { clockOf, schemaOf } from '../../command/running/doctor/database-checks.ts'
import type { Finding } from '../../command/running/doctor/finding.ts'
import { memory, openFiles, processors } from '../../command/running/doctor/machine-checks.ts'
import {
  connections,
  durability,
  encryption,
  packets,
  versionOf,
  writable,
} from '../../command/running/doctor/mysql-checks.ts'
import { fileSystem, roomOf } from '../../command/running/doctor/sqlite-checks.ts'
import { readConfig } from '../../src/settings/config.ts'

const MIB = 1024 * 1024
const config = readConfig({})
const two = readConfig({ WORKERS: '2' })
const at = (host: string, mode = ''): { databaseUrl: string } => ({
  databaseUrl: `mysql://u:p@${host}/g${mode === '' ? '' : `?ssl-mode=${mode}`}`,
})

test.each<[Finding, string]>([
  [versionOf('10.11.19-MariaDB-0+deb12u1'), 'ok'],
  [versionOf('5.5.5-10.11.2-MariaDB'), 'ok'],
  [versionOf('11.4.2-MariaDB'), 'ok'],
  [versionOf('10.6.18-MariaDB'), 'warning'],
  [versionOf('8.4.3'), 'ok'],
  [versionOf('9.1.0'), 'ok'],
  [versionOf('8.0.36'), 'warning'],
  [versionOf('8.0.11-TiDB-v8.1.0'), 'warning'],
  [clockOf(0), 'ok'],
  [clockOf(-1500), 'ok'],
  [clockOf(60_000), 'warning'],
  [clockOf(-60_000), 'warning'],
  [schemaOf([]), 'warning'],
  [schemaOf(['9999-later']), 'failure'],
  [processors(two, 2), 'ok'],
  [processors(two, 1), 'warning'],
  [memory(config, 4096 * MIB), 'ok'],
  [memory(config, 200 * MIB), 'warning'],
  [memory(config, 100 * MIB), 'failure'],
  [memory(two, 300 * MIB), 'failure'],
  [openFiles(config, 20_000), 'ok'],
  [openFiles(config, Infinity), 'ok'],
  [openFiles(config, 1024), 'warning'],
  [openFiles(config, undefined), 'unknown'],
  [writable({ read_only: 'OFF' }), 'ok'],
  [writable({ read_only: 'OFF', super_read_only: 'ON' }), 'failure'],
  [packets({ max_allowed_packet: String(16 * MIB) }, config), 'ok'],
  [packets({ max_allowed_packet: String(4 * MIB) }, config), 'warning'],
  [packets({ max_allowed_packet: String(16 * MIB) }, { maxBodyBytes: 64 * MIB }), 'warning'],
  [packets({}, config), 'unknown'],
  [durability({ innodb_flush_log_at_trx_commit: '1', log_bin: 'OFF', sync_binlog: '0' }), 'ok'],
  [durability({ innodb_flush_log_at_trx_commit: '2' }), 'warning'],
  [durability({ innodb_flush_log_at_trx_commit: '1', log_bin: 'ON', sync_binlog: '0' }), 'warning'],
  [encryption(at('127.0.0.1')), 'ok'],
  [encryption(at('[::1]:3307')), 'ok'],
  [encryption(at('db.example')), 'warning'],
  [encryption(at('127.0.0.1,db.example')), 'warning'],
  [encryption(at('db.example', 'REQUIRED')), 'warning'],
  [encryption(at('db.example', 'VERIFY_IDENTITY')), 'ok'],
  [connections({ max_connections: '151' }, config), 'ok'],
  // Two processes with 31 each, and 5 for others.
  [connections({ max_connections: '67' }, two), 'ok'],
  [connections({ max_connections: '66' }, two), 'warning'],
  [connections({}, two), 'unknown'],
  [fileSystem(0xef53), 'ok'],
  [fileSystem(0x6969), 'failure'],
  // As a signed number, as some systems give it.
  [fileSystem(0xff534d42 | 0), 'failure'],
  [roomOf(2048 * MIB), 'ok'],
  [roomOf(512 * MIB), 'warning'],
  [roomOf(1 * MIB), 'failure'],
])('%j is %s', (finding, state) => {
  expect(finding.state).toBe(state)
  expect(finding.remedy !== '').toBe(state === 'warning' || state === 'failure')
})

test('how requests arrive fails if something in front has changed what the service says of it', async () => {
  const answer = { status: 200, headers: { 'x-service-arrived': '%E0%A4%A https host' }, body: Buffer.of() }
  const found = await arrivalChecks(new URL('https://gloss.example.org'), () => Promise.resolve(answer))
  expect(found.map(({ check, state }) => [check, state])).toEqual([
    ['scheme', 'failure'],
    ['host', 'failure'],
    ['client address', 'failure'],
  ])
})
