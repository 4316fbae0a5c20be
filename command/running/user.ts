/** `gloss user`: manages accounts of a service over HTTP, as its superuser. */
import { faultsOf } from '../../common/connection/access.ts'
import { connect, givenPassword, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import type { Cell } from '../../common/values.ts'
import { misuse, STATUS } from '../../common/failure.ts'
import { show, type OutputOptions, type Rows } from '../terminal/output.ts'
import { confirm, tell } from '../terminal/terminal.ts'
import { rowsOf } from '../using/query.ts'
import { askNewPassword } from './new-password.ts'

interface PasswordOptions extends ConnectionOptions {
  readonly newPasswordFile?: string
}

interface AddOptions extends PasswordOptions {
  readonly name?: string
  readonly email?: string
}

export const add = {
  async run([username = '']: readonly string[], options: AddOptions): Promise<undefined> {
    const { client } = await connect(options)
    const { name, email } = options
    const password = await newPassword(username, options)
    const body = {
      username,
      password,
      ...(name === undefined ? {} : { name }),
      ...(email === undefined ? {} : { email }),
    }
    await client.POST('/users', { body })
    tell(`The user ${username} is there, with a namespace of that name.`)
    return undefined
  },
}

export const passwd = {
  async run([name]: readonly string[], options: PasswordOptions): Promise<undefined> {
    const { client, user } = await connect(options)
    const username = name ?? user
    if (username === undefined) throw misuse('it is not said whose password', 'name the user')
    const password = await newPassword(username, options)
    await client.PUT('/users/{username}', { params: { path: { username } }, body: { password } })
    tell(`The password of ${username} is set.${username === user ? ' gloss login keeps it.' : ''}`)
    return undefined
  },
}

const ROLES = ['user', 'superuser'] as const

export const role = {
  async run([username = '', word]: readonly string[], options: ConnectionOptions): Promise<undefined> {
    const wanted = ROLES.find((one) => one === word)
    if (wanted === undefined)
      throw misuse(`there is no role '${word ?? ''}'`, `there are ${ROLES.join(', ')}`)
    const { client } = await connect(options)
    await client.PUT('/users/{username}', { params: { path: { username } }, body: { role: wanted } })
    tell(`${username} is a ${wanted}.`)
    return undefined
  },
}

const COLUMNS = ['username', 'role', 'name', 'email']
const tagOf = (name: string): string => `service/users/${name}`

/** Rows of the id, the about value and all columns, of which these have values. */
async function* named(rows: Rows['rows'], own: readonly string[]): AsyncGenerator<readonly Cell[]> {
  for await (const row of rows) {
    const [id, about, ...cells] = row
    yield [id, about, ...COLUMNS.map((name) => cells[own.indexOf(name)])]
  }
}

/** The columns that the user may read: only superusers read e-mail addresses. */
async function readable({ client }: Connection): Promise<readonly string[]> {
  const faults = await faultsOf(client, COLUMNS.map(tagOf))
  return COLUMNS.filter((_, index) => faults[index] !== 'TPathPermissionDenied')
}

export const list = {
  async run(_args: readonly string[], options: ConnectionOptions & OutputOptions): Promise<undefined> {
    const connection = await connect(options)
    const names = options.columns ?? (await readable(connection))
    const own = names.filter((name) => COLUMNS.includes(name))
    const [username = ''] = COLUMNS.map(tagOf)
    const found = rowsOf(connection, {
      query: `has ${username}`,
      tags: own.map(tagOf),
      sort: username,
      limit: Infinity,
    })
    const columns = ['id', 'about', ...COLUMNS]
    const rows = named(found.rows, own)
    const count = await show({ columns, rows }, { ...options, columns: names })
    tell(`${count.toLocaleString('en')} ${count === 1 ? 'user' : 'users'}`)
    return undefined
  },
}

interface DeleteOptions extends ConnectionOptions {
  readonly yes?: true
}

export const remove = {
  async run([username = '']: readonly string[], options: DeleteOptions): Promise<number> {
    const { client } = await connect(options)
    const question = `Delete the user ${username}, and the namespace of that name, which must be empty?`
    if (!options.yes && !(await confirm(question, false))) {
      tell('Nothing was deleted.')
      return STATUS.failed
    }
    await client.DELETE('/users/{username}', { params: { path: { username } } })
    tell(`The user ${username} is deleted.`)
    return STATUS.done
  },
}

const newPassword = async (username: string, { newPasswordFile }: PasswordOptions): Promise<string> =>
  givenPassword(newPasswordFile, 'GLOSS_NEW_PASSWORD') ??
  askNewPassword(username, 'set GLOSS_NEW_PASSWORD, or name a file by --new-password-file')
