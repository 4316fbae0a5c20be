/** The present role of a server, which only the server knows: it writes, it only reads, or it must not be used. */
import type { Session } from './mysql-session.ts'

/** The part of a session that this file uses. */
export type Asked = Pick<Session, 'query'>

const READ_ONLY_SETTINGS = ['read_only', 'super_read_only', 'innodb_read_only', 'tidb_super_read_only']
/** A server has this setting only if the plugin of MySQL Group Replication is installed, in any state. */
const GROUP_SETTING = 'group_replication_group_name'
const SETTINGS = `SHOW GLOBAL VARIABLES WHERE Variable_name IN ('${[...READ_ONLY_SETTINGS, GROUP_SETTING].join(`', '`)}')`

const MEMBERS = 'performance_schema.replication_group_members'
const WHICH_MEMBERS = `SELECT MEMBER_ID = @@server_uuid AS own, MEMBER_STATE AS state, MEMBER_ROLE AS role FROM ${MEMBERS}`

interface Member {
  /** 1 for the server that answers. */
  readonly own: number
  readonly state: string
  readonly role: string
}

/** A server of a group that must not be used. */
export class Outsider extends Error {
  readonly code: 'GROUP_OUTSIDER' | 'GROUP_UNREADABLE'

  constructor(code: Outsider['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** The uses of a server. */
export interface Role {
  readonly writes: boolean
  /** Whether the server belongs to a group of MySQL Group Replication, which may exclude it. */
  readonly inGroup: boolean
}

/** Asks a server for its role. Rejects with an `Outsider` if its group does not let it serve. */
export async function roleOf(session: Asked): Promise<Role> {
  const settings = await session.query<{ Variable_name: string; Value: string }>(SETTINGS)
  const inGroup = settings.some(({ Variable_name: name }) => name === GROUP_SETTING)
  if (inGroup) requirePrimary(await membersAt(session))
  const writes = settings.every(
    ({ Variable_name: name, Value }) => name === GROUP_SETTING || ['OFF', '0'].includes(Value),
  )
  return { writes, inGroup }
}

async function membersAt(session: Asked): Promise<Member[]> {
  try {
    return await session.query<Member>(WHICH_MEMBERS)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code !== 'ER_TABLEACCESS_DENIED_ERROR') throw error
    const [row] = await session.query<{ account: string }>('SELECT CURRENT_USER() AS account')
    const account = (row?.account ?? '').split(/@(?=[^@]*$)/).map((part) => `\`${part}\``)
    throw new Outsider(
      'GROUP_UNREADABLE',
      `the account may not see whether the server serves in its group: GRANT SELECT ON ${MEMBERS} TO ${account.join('@')}`,
    )
  }
}

/**
 * Throws unless the server is online, a primary (in multi-primary mode all members are), and with the majority: a server
 * that is cut off from the majority takes itself for the primary, while the others may have another.
 */
function requirePrimary(members: readonly Member[]): void {
  const { state, role } = members.find(({ own }) => own === 1) ?? { state: 'OFFLINE', role: '' }
  const reached = members.filter((member) => member.state !== 'UNREACHABLE')
  if (state !== 'ONLINE') throw outside(`the server is ${state} in its group`)
  if (role !== 'PRIMARY') throw outside('the server is a secondary of its group')
  if (2 * reached.length <= members.length)
    throw outside('the server does not reach the majority of its group')
}

const outside = (message: string): Outsider => new Outsider('GROUP_OUTSIDER', message)
