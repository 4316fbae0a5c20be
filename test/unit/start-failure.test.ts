/** Every way in which a start fails says which setting is wrong, and what to do. */
import { expect, test } from '@jest/globals'
import { startFailure } from '../../src/process/start-failure.ts'

const LISTEN = { prefix: '', host: '127.0.0.1', port: 8080 } as const
const ADMIN = { prefix: 'ADMIN_', host: '10.0.0.1', port: 9090 } as const
const MYSQL = 'mysql://bob%40x:geheim@db.example/gloss'
const SQLITE = 'sqlite:./var/gloss.db'

test.each([
  [{ listen: LISTEN, code: 'EADDRINUSE' }, SQLITE, 'PORT 8080 is in use'],
  [{ listen: LISTEN, code: 'EACCES' }, SQLITE, 'PORT 8080 is not for ordinary users'],
  [{ listen: LISTEN, code: 'EADDRNOTAVAIL' }, SQLITE, 'HOST 127.0.0.1 is no address of this machine'],
  [{ listen: ADMIN, code: 'EADDRINUSE' }, SQLITE, 'ADMIN_PORT 9090 is in use'],
  [{ listen: ADMIN, code: 'EADDRNOTAVAIL' }, SQLITE, 'ADMIN_HOST 10.0.0.1 is no address of this machine'],
  [{ code: 'SQLITE_NOTADB' }, SQLITE, "DATABASE_URL: './var/gloss.db' is not a SQLite database"],
  [{ code: 'SQLITE_CANTOPEN' }, SQLITE, "DATABASE_URL: the file './var/gloss.db' cannot be opened"],
  [{ code: 'ENOENT', syscall: 'open' }, SQLITE, "DATABASE_URL: the file './var/gloss.db' cannot be opened"],
  [{ code: 'ECONNREFUSED', syscall: 'connect' }, MYSQL, 'DATABASE_URL: nobody answers at db.example:3306'],
  [{ code: 'ENOTFOUND' }, MYSQL, "DATABASE_URL: no host has the name 'db.example'"],
  [
    { message: "ROLLBACK - Can't add new command when connection is in closed state" },
    MYSQL,
    'DATABASE_URL: the connection was lost',
  ],
  [
    { name: 'MigrationLocked' },
    MYSQL,
    'another process is still bringing the schema up to date: start again once it has ended',
  ],
  [{ name: 'KnexTimeoutError' }, MYSQL, 'DATABASE_URL: nobody at db.example:3306 speaks the MySQL protocol'],
  [
    { code: 'ER_ACCESS_DENIED_ERROR' },
    MYSQL,
    "DATABASE_URL: db.example:3306 does not admit the user 'bob@x'",
  ],
  [{ code: 'ER_BAD_DB_ERROR' }, MYSQL, "DATABASE_URL: db.example:3306 has no database 'gloss'"],
  [{ code: 'ER_OUT_OF_RESOURCES' }, MYSQL, 'DATABASE_URL: as the driver says (ER_OUT_OF_RESOURCES)'],
  [{}, MYSQL, 'as the driver says'],
])('%j', (failure, databaseUrl, sentence) => {
  const error = Object.assign(new Error('as the driver says'), failure)
  const said = startFailure(error, { databaseUrl })
  expect(said).toContain(sentence)
  expect(said).not.toContain('geheim')
})
