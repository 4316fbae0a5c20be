/** Which settings of a server lose what was acknowledged. */
import { expect, test } from '@jest/globals'
import { missingDurability } from '../../src/data/store/durability.ts'

const FLUSH = 'innodb_flush_log_at_trx_commit'

test.each<[what: string, settings: Record<string, string>, missing: string[]]>([
  ['a server that says nothing', {}, []],
  ['MySQL as it comes', { [FLUSH]: '1', log_bin: 'ON', sync_binlog: '1' }, []],
  ['MariaDB as it comes', { [FLUSH]: '1', log_bin: 'OFF', sync_binlog: '0' }, []],
  ['MariaDB with a binary log', { [FLUSH]: '1', log_bin: 'ON', sync_binlog: '0' }, ['sync_binlog = 1']],
  [
    'a log that is synced now and then',
    { [FLUSH]: '1', log_bin: '1', sync_binlog: '100' },
    ['sync_binlog = 1'],
  ],
  ['one that flushes once a second', { [FLUSH]: '0', log_bin: 'OFF' }, [`${FLUSH} = 1`]],
  ['both', { [FLUSH]: '2', log_bin: 'ON', sync_binlog: '0' }, [`${FLUSH} = 1`, 'sync_binlog = 1']],
])('%s', (_what, settings, missing) => {
  expect(missingDurability(settings)).toEqual(missing)
})
