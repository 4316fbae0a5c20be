/** What a server of MySQL may be used for, by what it says of itself and of its group. */
import { expect, test } from '@jest/globals'
import { roleOf, type Asked } from '../../src/data/database/mysql/mysql-roles.ts'

const OWN = { own: 1, state: 'ONLINE', role: 'PRIMARY' }
const OTHER = { own: 0, state: 'ONLINE', role: 'SECONDARY' }
const AWAY = { ...OTHER, state: 'UNREACHABLE' }

/** A server with these settings, whose table of members has these rows. */
function server(settings: Readonly<Record<string, string>>, members: object[] | Error): Asked {
  return {
    query: <Row>(text: string) => {
      if (text.startsWith('SHOW'))
        return Promise.resolve(
          Object.entries(settings).map(([name, Value]) => ({ Variable_name: name, Value })) as Row[],
        )
      if (text.includes('CURRENT_USER')) return Promise.resolve([{ account: "o'hara@home@10.%" }] as Row[])
      return members instanceof Error ? Promise.reject(members) : Promise.resolve(members as Row[])
    },
  }
}

const inGroup = { read_only: 'OFF', super_read_only: 'OFF', group_replication_group_name: 'any' }

test.each([
  ['MySQL', { read_only: 'OFF', super_read_only: 'OFF' }, true],
  ['MariaDB', { read_only: '0' }, true],
  ['a replica', { read_only: 'ON', super_read_only: 'OFF' }, false],
  ['a server that says nothing', {}, true],
])('%s is asked nothing about a group', async (_, settings, writes) => {
  expect(await roleOf(server(settings, new Error('asked')))).toEqual({ writes, inGroup: false })
})

test.each([
  ['the only member', [OWN]],
  ['the primary of three', [OTHER, OWN, OTHER]],
  ['one primary of three', [{ ...OTHER, role: 'PRIMARY' }, OWN, { ...OTHER, role: 'PRIMARY' }]],
  ['the primary without one of three', [OWN, AWAY, OTHER]],
])('%s serves', async (_, members) => {
  expect(await roleOf(server(inGroup, members))).toEqual({ writes: true, inGroup: true })
  const readOnly = { ...inGroup, super_read_only: 'ON' }
  expect(await roleOf(server(readOnly, members))).toEqual({ writes: false, inGroup: true })
})

test.each([
  ['a secondary', [{ ...OWN, role: 'SECONDARY' }, OTHER], 'the server is a secondary of its group'],
  ['one that is outside', [{ own: 1, state: 'OFFLINE', role: '' }], 'the server is OFFLINE in its group'],
  ['one that was put out', [{ own: 1, state: 'ERROR', role: '' }], 'the server is ERROR in its group'],
  ['one that is let in', [{ ...OWN, state: 'RECOVERING' }], 'the server is RECOVERING in its group'],
  ['one that does not know itself', [], 'the server is OFFLINE in its group'],
  [
    'a primary without two of three',
    [OWN, AWAY, AWAY],
    'the server does not reach the majority of its group',
  ],
  ['a primary without two of four', [OWN, AWAY, AWAY, OTHER], 'the server does not reach the majority'],
])('%s does not serve', async (_, members, message) => {
  const outside = expect.objectContaining({
    code: 'GROUP_OUTSIDER',
    message: expect.stringContaining(message),
  })
  await expect(roleOf(server(inGroup, members))).rejects.toEqual(outside)
})

test('where the account may not see it, the right that is missing is named', async () => {
  const denied = Object.assign(new Error('denied'), { code: 'ER_TABLEACCESS_DENIED_ERROR' })
  await expect(roleOf(server(inGroup, denied))).rejects.toMatchObject({
    code: 'GROUP_UNREADABLE',
    message: expect.stringMatching(
      /: GRANT SELECT ON performance_schema.replication_group_members TO `o'hara@home`@`10.%`$/,
    ),
  })
  const lost = Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' })
  await expect(roleOf(server(inGroup, lost))).rejects.toBe(lost)
})
