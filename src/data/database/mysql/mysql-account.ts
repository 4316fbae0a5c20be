/** How a process signs in to the servers of a database URL, which may be in a file. */
import { readSecret } from '../connection/secret-file.ts'
import { hostText, readMysqlUrl, type Host, type Target } from './mysql-address.ts'

/** A database URL and what it says. */
export interface Account {
  readonly url: string
  readonly hosts: readonly [Host, ...Host[]]
  /** The user, the password, the database and the encryption. */
  readonly target: Omit<Target, 'host'>
}

/** What a URL of MySQL says. Throws as `readMysqlUrl`. */
export function accountOf(url: string): Account {
  const { hosts, ...target } = readMysqlUrl(url)
  return { url, hosts, target }
}

/**
 * The account in a file; the same object as `before` if the file still has the same URL. Throws if the file cannot be read,
 * or names another database: the parts of a process must not work on two stores.
 */
export function accountIn(file: string, before: Account): Account {
  const url = readSecret(file)
  if (url === before.url) return before
  const account = accountOf(url)
  if (placesOf(account) !== placesOf(before))
    throw new Error('names other hosts or another database: restart the service to use them')
  return account
}

const placesOf = ({ hosts, target }: Account): string =>
  JSON.stringify([target.database, ...hosts.map(hostText)])
