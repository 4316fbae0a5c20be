/** What provokes each error that a server can be made to say. */
import { randomUUID } from 'node:crypto'
import { Outdated } from '../../src/data/database/connection/failures.ts'
import { Demotion } from '../../src/data/database/demotion.ts'
import { openSession } from '../../src/data/database/mysql/mysql-settings.ts'
import { executor } from '../../src/data/database/mysql/mysql.ts'
import { openPool } from '../../src/data/database/pool.ts'
import { freePort } from '../support/ports.ts'
import { PATIENT } from '../support/database.ts'
import { TcpProxy, type Harm } from '../support/tcp-proxy.ts'
import { fromElsewhere, type Ground, type Provocation, type Provoked } from './provoking.ts'

const EACH: readonly Provoked[] = ['MySQL', 'MariaDB', 'TiDB']
const BOTH: readonly Provoked[] = ['MySQL', 'MariaDB']
const MYSQL: readonly Provoked[] = ['MySQL']
const MARIADB: readonly Provoked[] = ['MariaDB']
const TIDB: readonly Provoked[] = ['TiDB']
const ANY: readonly Provoked[] = ['any']

type Provoke = (ground: Ground) => unknown

const KIB = 1024
const IMPATIENT = { ...PATIENT, place: 10, statement: 400 }
const INSERT = `INSERT INTO t VALUES (3, '')`
const PASSWORD = `IDENTIFIED BY 'visitor'`
const SLEEP = 'SELECT SLEEP(300) FROM (SELECT 1 UNION ALL SELECT 2) two'

/** Runs statements in a session. */
const run =
  (...statements: readonly string[]): Provoke =>
  (ground) =>
    ground.run(statements)

/** Runs statements in a session of an account with these rights. */
const allowed =
  (grants: readonly string[], ...statements: readonly string[]): Provoke =>
  (ground) =>
    ground.account((url) => ground.run(statements, { url }), { grants })

/** Signs in to an account that is made with these options, after these statements. */
const signIn =
  (options: string, ...statements: readonly string[]): Provoke =>
  (ground) =>
    ground.account(
      async (url) => {
        await ground.admin(...statements)
        await ground.run([], { url })
      },
      { options },
    )

/** The same while the server has another setting. */
const under =
  (setting: string, value: string, provoke: Provoke): Provoke =>
  (ground) =>
    ground.global(setting, value, async () => provoke(ground))

/** Signs in by the URL with changes. */
const by =
  (changes: Parameters<Ground['urlWith']>[0]): Provoke =>
  (ground) =>
    ground.run([], { url: ground.urlWith(changes) })

/** Locks a row that another session wants. */
const waiting: Provoke = (ground) => ground.together(['DELETE FROM t'], ['DELETE FROM t'])

const deadlock: Provoke = (ground) =>
  ground.together(
    ['DELETE FROM t WHERE a = 1', 'DELETE FROM t WHERE a = 2'],
    ['DELETE FROM t WHERE a = 2', 'DELETE FROM t WHERE a = 1'],
  )

/** Changes a row that has changed since the view began. */
const changedSince: Provoke = (ground) =>
  ground.session(
    async (session) => {
      await session.query('SET innodb_snapshot_isolation = ON')
      await session.query('SELECT * FROM t')
      await ground.admin(`UPDATE t SET b = CONCAT(b, 'x')`)
      await session.query(`UPDATE t SET b = ''`)
    },
    { purpose: 'read' },
  )

/** Two transactions of TiDB that lock nothing change one row. */
const optimistic: Provoke = (ground) =>
  ground.session(async (session) => {
    await session.query('BEGIN OPTIMISTIC')
    await session.query(`UPDATE t SET b = 'ours' WHERE a = 1`)
    await ground.admin(`UPDATE t SET b = 'theirs' WHERE a = 1`)
    await session.query('COMMIT')
  })

/** Cuts the connection in place of an answer, or resets or freezes it. */
const harmed =
  (harm: Harm): Provoke =>
  async (ground) => {
    const proxy = await TcpProxy.start(ground.url)
    const session = await openSession(proxy.url, 'read', harm === 'freeze' ? IMPATIENT : PATIENT)
    try {
      proxy.set({ harm, point: 'answer', after: 0 })
      await session.query('SELECT 1')
    } finally {
      await session.close()
      await proxy.stop()
    }
  }

const idle: Provoke = (ground) =>
  ground.session(async (session) => {
    await session.query('SET wait_timeout = 1')
    await session.closed
    await session.query('SELECT 1')
  })

const prepared: Provoke = (ground) =>
  ground.session((session) =>
    executor(session)({ do: 'all', text: 'SELECT b FROM t WHERE a = ?', values: [1] }),
  )

const placeless: Provoke = async (ground) => {
  const pool = openPool(ground.url, 'write', { waits: IMPATIENT, demotion: new Demotion() })
  const taken: Awaited<ReturnType<typeof pool.acquire>>[] = []
  try {
    for (;;) taken.push(await pool.acquire())
  } finally {
    for (const connection of taken) pool.release(connection)
    await pool.close()
  }
}

const closed: Provoke = async (ground) => {
  const pool = openPool(ground.url, 'write')
  await pool.close()
  await pool.acquire()
}

/** Fills a table in memory. */
const full: Provoke = (ground) =>
  ground.run([
    'SET max_heap_table_size = 16384',
    'CREATE TEMPORARY TABLE small (a VARCHAR(8000)) ENGINE = MEMORY',
    `INSERT INTO small VALUES ${Array(100).fill(`(REPEAT('x', 8000))`).join()}`,
  ])

/** A transaction, or a statement on a table without transactions, that is larger than the binary log takes. */
const logged =
  (engine: string): Provoke =>
  async (ground) => {
    await ground.admin(`CREATE TABLE logged (b LONGBLOB) ENGINE = ${engine}`)
    try {
      await ground.session(async (session) => {
        await session.query(`INSERT INTO logged VALUES ('${'x'.repeat(100 * KIB)}')`)
        await session.query('COMMIT')
      })
    } finally {
      await ground.admin('DROP TABLE logged')
    }
  }

/** A statement that is longer than the server reads, but so short that all of it is sent before the answer comes. */
const packet: Provoke = (ground) => ground.run([`SELECT LENGTH('${'x'.repeat(24 * KIB)}')`])

/** Passwords that are wrong, until the account is blocked. */
const guessed =
  (options: string, times: number): Provoke =>
  (ground) =>
    ground.account(
      async (url) => {
        const wrong = Object.assign(new URL(url), { password: randomUUID() }).href
        for (let i = 0; i < times; i++) await ground.run([], { url: wrong }).catch(() => undefined)
        await ground.run([], { url })
      },
      { options },
    )

export const ON_SERVERS: readonly Provocation<Ground>[] = [
  [EACH, 1062, 'ER_DUP_ENTRY', 'conflict', 'back', run(INSERT, INSERT)],
  [EACH, 1205, 'ER_LOCK_WAIT_TIMEOUT', 'conflict', 'back', waiting],
  [EACH, 1213, 'ER_LOCK_DEADLOCK', 'conflict', 'back', deadlock],
  [MARIADB, 1020, 'ER_CHECKREAD', 'conflict', 'back', changedSince],
  [TIDB, 9007, 'ErrWriteConflict', 'conflict', 'back', optimistic],
  [ANY, undefined, 'OUTDATED', 'conflict', 'back', () => Promise.reject(new Outdated())],

  [MYSQL, 4031, 'ER_CLIENT_INTERACTION_TIMEOUT', 'lost', 'broken', idle],
  [ANY, undefined, 'PROTOCOL_CONNECTION_LOST', 'lost', 'broken', harmed('cut')],
  [ANY, undefined, 'ECONNRESET', 'lost', 'broken', harmed('reset')],

  [ANY, undefined, 'ETIMEDOUT', 'unavailable', 'broken', harmed('freeze')],
  [
    ANY,
    undefined,
    'ECONNREFUSED',
    'unavailable',
    'back',
    async (ground) => by({ port: String(await freePort()) })(ground),
  ],
  [ANY, undefined, 'ENOTFOUND', 'unavailable', 'back', by({ hostname: 'db.invalid' })],
  [ANY, undefined, 'KnexTimeoutError', 'unavailable', 'back', placeless],
  [ANY, undefined, 'POOL_CLOSED', 'unavailable', 'back', closed],
  [
    EACH,
    1040,
    'ER_CON_COUNT_ERROR',
    'unavailable',
    'back',
    under('max_connections', '10', (ground) => ground.account((url) => ground.crowd(url))),
  ],
  [
    BOTH,
    1203,
    'ER_TOO_MANY_USER_CONNECTIONS',
    'unavailable',
    'back',
    under('max_user_connections', '3', (ground) => ground.account((url) => ground.crowd(url))),
  ],
  [
    BOTH,
    1226,
    'ER_USER_LIMIT_REACHED',
    'unavailable',
    'back',
    (ground) =>
      ground.account((url) => ground.crowd(url), { options: `${PASSWORD} WITH MAX_USER_CONNECTIONS 3` }),
  ],
  [
    EACH,
    1461,
    'ER_MAX_PREPARED_STMT_COUNT_REACHED',
    'unavailable',
    'broken',
    under('max_prepared_stmt_count', '0', prepared),
  ],
  [
    BOTH,
    1317,
    'ER_QUERY_INTERRUPTED',
    'unavailable',
    'back',
    (ground) => ground.sleeping((id) => `KILL QUERY ${id}`),
  ],
  [MARIADB, 1969, 'ER_STATEMENT_TIMEOUT', 'unavailable', 'back', run('SET max_statement_time = 0.1', SLEEP)],
  [MYSQL, 3024, 'ER_QUERY_TIMEOUT', 'unavailable', 'back', run('SET max_execution_time = 100', SLEEP)],
  [
    MYSQL,
    3032,
    'ER_SERVER_OFFLINE_MODE',
    'unavailable',
    'demoted',
    under('offline_mode', '1', signIn(PASSWORD)),
  ],
  [
    BOTH,
    1290,
    'ER_OPTION_PREVENTS_STATEMENT',
    'unavailable',
    'demoted',
    under('read_only', '1', allowed(['ALL ON trial.*'], INSERT)),
  ],
  [
    BOTH,
    1792,
    'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
    'unavailable',
    'demoted',
    run('SET TRANSACTION READ ONLY', INSERT),
  ],
  [
    TIDB,
    1836,
    'ER_READ_ONLY_MODE',
    'unavailable',
    'demoted',
    under('tidb_super_read_only', '1', run(INSERT)),
  ],
  [
    MYSQL,
    3989,
    'ER_SCHEMA_READ_ONLY',
    'unavailable',
    'back',
    async (ground) => {
      await ground.admin('ALTER SCHEMA trial READ ONLY = 1')
      await ground.run([INSERT]).finally(() => ground.admin('ALTER SCHEMA trial READ ONLY = 0'))
    },
  ],
  [BOTH, 1114, 'ER_RECORD_FILE_FULL', 'unavailable', 'back', full],

  [EACH, 1044, 'ER_DBACCESS_DENIED_ERROR', 'refused', 'broken', allowed([])],
  [EACH, 1045, 'ER_ACCESS_DENIED_ERROR', 'refused', 'broken', by({ password: 'wrong' })],
  [EACH, 1049, 'ER_BAD_DB_ERROR', 'refused', 'broken', by({ pathname: '/gloss_nowhere' })],
  [
    BOTH,
    1130,
    'ER_HOST_NOT_PRIVILEGED',
    'refused',
    'broken',
    (ground) => fromElsewhere(ground.url, async (port) => by({ port })(ground)),
  ],
  [EACH, 1142, 'ER_TABLEACCESS_DENIED_ERROR', 'refused', 'broken', allowed(['SELECT ON trial.*'], INSERT)],
  [
    BOTH,
    1143,
    'ER_COLUMNACCESS_DENIED_ERROR',
    'refused',
    'broken',
    allowed(['SELECT (a) ON trial.t'], 'SELECT b FROM t'),
  ],
  [
    EACH,
    1227,
    'ER_SPECIFIC_ACCESS_DENIED_ERROR',
    'refused',
    'broken',
    allowed(['ALL ON trial.*'], 'SET GLOBAL max_connections = 10'),
  ],
  [
    MYSQL,
    1524,
    'ER_PLUGIN_IS_NOT_LOADED',
    'refused',
    'broken',
    async (ground) => {
      await ground.admin(`INSTALL PLUGIN auth_socket SONAME 'auth_socket.so'`)
      await signIn('IDENTIFIED WITH auth_socket', 'UNINSTALL PLUGIN auth_socket')(ground)
    },
  ],
  [
    MARIADB,
    1698,
    'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
    'refused',
    'broken',
    signIn('IDENTIFIED VIA unix_socket'),
  ],
  [BOTH, 1820, 'ER_MUST_CHANGE_PASSWORD', 'refused', 'broken', signIn(`${PASSWORD} PASSWORD EXPIRE`)],
  [
    MARIADB,
    1862,
    'ER_MUST_CHANGE_PASSWORD_LOGIN',
    'refused',
    'broken',
    under('disconnect_on_expired_password', '1', signIn(`${PASSWORD} PASSWORD EXPIRE`)),
  ],
  [TIDB, 1862, 'ER_MUST_CHANGE_PASSWORD_LOGIN', 'refused', 'broken', signIn(`${PASSWORD} PASSWORD EXPIRE`)],
  [MYSQL, 3118, 'ER_ACCOUNT_HAS_BEEN_LOCKED', 'refused', 'broken', signIn(`${PASSWORD} ACCOUNT LOCK`)],
  [TIDB, 3118, 'ER_ACCOUNT_HAS_BEEN_LOCKED', 'refused', 'broken', signIn(`${PASSWORD} ACCOUNT LOCK`)],
  [MARIADB, 4151, 'ER_ACCOUNT_HAS_BEEN_LOCKED', 'refused', 'broken', signIn(`${PASSWORD} ACCOUNT LOCK`)],
  [
    MYSQL,
    3159,
    'ER_SECURE_TRANSPORT_REQUIRED',
    'refused',
    'broken',
    under('require_secure_transport', '1', signIn(PASSWORD)),
  ],
  [
    ['MySQL', 'TiDB'],
    3955,
    'ER_USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK',
    'refused',
    'broken',
    guessed(`${PASSWORD} FAILED_LOGIN_ATTEMPTS 1 PASSWORD_LOCK_TIME 1`, 1),
  ],
  [
    MARIADB,
    4150,
    'ER_USER_IS_BLOCKED',
    'refused',
    'broken',
    under('max_password_errors', '1', guessed(PASSWORD, 2)),
  ],
  [MARIADB, undefined, 'HANDSHAKE_NO_SSL_SUPPORT', 'refused', 'broken', by({ search: '?ssl-mode=REQUIRED' })],
  [MYSQL, undefined, 'HANDSHAKE_SSL_ERROR', 'refused', 'broken', by({ search: '?ssl-mode=VERIFY_IDENTITY' })],
  [
    ANY,
    undefined,
    'TLS_FILE',
    'refused',
    'broken',
    by({ search: '?ssl-mode=VERIFY_CA&ssl-ca=/nowhere.pem' }),
  ],

  [
    BOTH,
    1153,
    'ER_NET_PACKET_TOO_LARGE',
    'too large',
    'back',
    under('max_allowed_packet', String(16 * KIB), packet),
  ],
  [
    BOTH,
    1197,
    'ER_TRANS_CACHE_FULL',
    'too large',
    'back',
    under('max_binlog_cache_size', '4096', logged('InnoDB')),
  ],
  [
    BOTH,
    1705,
    'ER_STMT_CACHE_FULL',
    'too large',
    'back',
    under('max_binlog_stmt_cache_size', '4096', logged('MyISAM')),
  ],
  [
    TIDB,
    8025,
    'ErrEntryTooLarge',
    'too large',
    'back',
    run(`INSERT INTO t VALUES (3, REPEAT('x', ${String(7 * KIB * KIB)}))`),
  ],

  [EACH, 1193, 'ER_UNKNOWN_SYSTEM_VARIABLE', 'unknown setting', 'back', run('SET gloss_nothing = 1')],
  [EACH, 1238, 'ER_INCORRECT_GLOBAL_LOCAL_VAR', 'unknown setting', 'back', run('SET SESSION version = 1')],
]
