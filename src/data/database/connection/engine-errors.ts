/**
 * The errors of the engines, the driver and the system, one row each, with the class and the effect on the connection. An
 * error that is not listed is a fault.
 */

/**
 * `conflict`: another writer came first, and the work may run again. `lost`: the connection is gone, perhaps after the work
 * was done. `unavailable`: the database cannot be reached, or cannot do its work at present. `refused`: it refuses the
 * connection or the command until an operator changes an account, a right, a certificate or a setting. `too large`: it
 * accepts no change of that size. `unknown setting`: it lacks a setting, or lets no session change it. `other`: a fault.
 */
export type Failure =
  'conflict' | 'lost' | 'unavailable' | 'refused' | 'too large' | 'unknown setting' | 'other'

/**
 * What the pool does with a connection: takes it `back`, drops it as `broken`, or drops it because its server was `demoted`,
 * perhaps with all other connections.
 */
export type Fate = 'back' | 'broken' | 'demoted'

type Engine =
  'MySQL' | 'MariaDB' | 'TiDB' | 'Galera' | 'Group Replication' | 'SQLite' | 'driver' | 'system' | 'Gloss'

/** An error, and the engines or programs that report it. */
export interface EngineError {
  readonly of: readonly Engine[]
  /** The number from the server. The driver names it as MySQL does, although other engines use some numbers differently. */
  readonly number: number | undefined
  /** The name in the sources of the engine. That of SQLite stands for its extended ones, too, such as `SQLITE_IOERR_WRITE`. */
  readonly code: string
  /** A part of the message, where the code alone says too little. */
  readonly text: string | undefined
  readonly failure: Failure
  readonly fate: Fate
}

type Row = readonly [
  of: readonly Engine[],
  number: number | undefined,
  code: string,
  failure: Failure,
  fate?: Fate,
  text?: string,
]

const ALL: readonly Engine[] = ['MySQL', 'MariaDB', 'TiDB']
const BOTH: readonly Engine[] = ['MySQL', 'MariaDB']
const MYSQL: readonly Engine[] = ['MySQL']
const MYSQL_TIDB: readonly Engine[] = ['MySQL', 'TiDB']
const MARIADB: readonly Engine[] = ['MariaDB']
const TIDB: readonly Engine[] = ['TiDB']
const GALERA: readonly Engine[] = ['Galera']
const GROUP: readonly Engine[] = ['Group Replication']
const SQLITE: readonly Engine[] = ['SQLite']
const DRIVER: readonly Engine[] = ['driver']
const SYSTEM: readonly Engine[] = ['system']
const GLOSS: readonly Engine[] = ['Gloss']

const ROWS: readonly Row[] = [
  // Other writers.
  [ALL, 1062, 'ER_DUP_ENTRY', 'conflict'],
  [ALL, 1205, 'ER_LOCK_WAIT_TIMEOUT', 'conflict'],
  [ALL, 1213, 'ER_LOCK_DEADLOCK', 'conflict'],
  [MARIADB, 1020, 'ER_CHECKREAD', 'conflict'],
  [TIDB, 1105, 'ER_UNKNOWN_ERROR', 'conflict', 'back', 'pessimistic lock retry limit reached'],
  [TIDB, 1105, 'ER_UNKNOWN_ERROR', 'conflict', 'back', 'lock wait timeout'],
  [TIDB, 8002, 'ErrForUpdateCantRetry', 'conflict'],
  [TIDB, 8005, 'ErrWriteConflictInTiDB', 'conflict'],
  [TIDB, 8022, 'ErrTxnRetryable', 'conflict'],
  [TIDB, 8028, 'ErrInfoSchemaChanged', 'conflict'],
  [TIDB, 8113, 'ErrSchemaChanged', 'conflict'],
  [TIDB, 8147, 'ErrLazyUniquenessCheckFailure', 'conflict'],
  [TIDB, 9004, 'ErrResolveLockTimeout', 'conflict'],
  [TIDB, 9007, 'ErrWriteConflict', 'conflict'],
  [SQLITE, undefined, 'SQLITE_BUSY', 'conflict'],
  [SQLITE, undefined, 'SQLITE_CONSTRAINT_PRIMARYKEY', 'conflict'],
  [GLOSS, undefined, 'OUTDATED', 'conflict'],

  // Connections that have ended.
  [BOTH, 1053, 'ER_SERVER_SHUTDOWN', 'lost', 'broken'],
  [BOTH, 1077, 'ER_NORMAL_SHUTDOWN', 'lost', 'broken'],
  [BOTH, 1152, 'ER_ABORTING_CONNECTION', 'lost', 'broken'],
  [BOTH, 1156, 'ER_NET_PACKETS_OUT_OF_ORDER', 'lost', 'broken'],
  [BOTH, 1158, 'ER_NET_READ_ERROR', 'lost', 'broken'],
  [BOTH, 1159, 'ER_NET_READ_INTERRUPTED', 'lost', 'broken'],
  [BOTH, 1160, 'ER_NET_ERROR_ON_WRITE', 'lost', 'broken'],
  [BOTH, 1161, 'ER_NET_WRITE_INTERRUPTED', 'lost', 'broken'],
  [BOTH, 1184, 'ER_NEW_ABORTING_CONNECTION', 'lost', 'broken'],
  [MARIADB, 1927, 'ER_CONNECTION_KILLED', 'lost', 'broken'],
  [MYSQL, 3169, 'ER_SESSION_WAS_KILLED', 'lost', 'broken'],
  [MYSQL, 4031, 'ER_CLIENT_INTERACTION_TIMEOUT', 'lost', 'broken'],
  // The error of a statement whose connection was ended.
  [TIDB, 1105, 'ER_UNKNOWN_ERROR', 'lost', 'broken', 'context canceled'],
  [DRIVER, undefined, 'PROTOCOL_CONNECTION_LOST', 'lost', 'broken'],
  [DRIVER, undefined, 'PROTOCOL_UNEXPECTED_PACKET', 'lost', 'broken'],
  // The error of a statement on a connection that the driver knows to be closed.
  [DRIVER, undefined, '', 'lost', 'broken', 'closed state'],
  [SYSTEM, undefined, 'ECONNRESET', 'lost', 'broken'],
  [SYSTEM, undefined, 'EPIPE', 'lost', 'broken'],

  // Servers that cannot be reached.
  [SYSTEM, undefined, 'EACCES', 'unavailable'],
  [SYSTEM, undefined, 'EADDRNOTAVAIL', 'unavailable'],
  [SYSTEM, undefined, 'EAI_AGAIN', 'unavailable'],
  [SYSTEM, undefined, 'ECONNREFUSED', 'unavailable'],
  [SYSTEM, undefined, 'EHOSTUNREACH', 'unavailable'],
  [SYSTEM, undefined, 'EMFILE', 'unavailable'],
  [SYSTEM, undefined, 'ENETUNREACH', 'unavailable'],
  [SYSTEM, undefined, 'ENOTFOUND', 'unavailable'],
  [SYSTEM, undefined, 'ETIMEDOUT', 'unavailable', 'broken'],
  [DRIVER, undefined, 'KnexTimeoutError', 'unavailable'],
  [GLOSS, undefined, 'POOL_CLOSED', 'unavailable'],

  // Servers that have no connections, memory or time left.
  [ALL, 1040, 'ER_CON_COUNT_ERROR', 'unavailable'],
  [BOTH, 1203, 'ER_TOO_MANY_USER_CONNECTIONS', 'unavailable'],
  [BOTH, 1226, 'ER_USER_LIMIT_REACHED', 'unavailable'],
  // Closing the connection frees its prepared statements.
  [ALL, 1461, 'ER_MAX_PREPARED_STMT_COUNT_REACHED', 'unavailable', 'broken'],
  [BOTH, 5, 'EE_OUTOFMEMORY', 'unavailable'],
  [BOTH, 23, 'EE_OUT_OF_FILERESOURCES', 'unavailable'],
  [BOTH, 1037, 'ER_OUTOFMEMORY', 'unavailable'],
  [BOTH, 1038, 'ER_OUT_OF_SORTMEMORY', 'unavailable'],
  [BOTH, 1041, 'ER_OUT_OF_RESOURCES', 'unavailable'],
  [BOTH, 1135, 'ER_CANT_CREATE_THREAD', 'unavailable'],
  [BOTH, 1637, 'ER_TOO_MANY_CONCURRENT_TRXS', 'unavailable'],
  [MYSQL, 3015, 'ER_ENGINE_OUT_OF_MEMORY', 'unavailable'],
  [MYSQL, 3985, 'ER_MDL_OUT_OF_RESOURCES', 'unavailable'],
  [MYSQL, 4081, 'ER_DA_GLOBAL_CONN_LIMIT', 'unavailable', 'broken'],
  [MYSQL, 4082, 'ER_DA_CONN_LIMIT', 'unavailable', 'broken'],
  [ALL, 1317, 'ER_QUERY_INTERRUPTED', 'unavailable'],
  [MARIADB, 1969, 'ER_STATEMENT_TIMEOUT', 'unavailable'],
  [MYSQL_TIDB, 3024, 'ER_QUERY_TIMEOUT', 'unavailable'],
  [TIDB, 8027, 'ErrInfoSchemaExpired', 'unavailable'],
  [TIDB, 8055, 'ErrSnapshotTooOld', 'unavailable'],
  [TIDB, 8120, 'ErrGetStartTS', 'unavailable'],
  [TIDB, 8176, 'ErrMemoryExceedForInstance', 'unavailable'],
  [TIDB, 8229, 'ErrLockExpire', 'unavailable'],
  [TIDB, 8252, 'ErrResourceGroupThrottled', 'unavailable'],
  [TIDB, 8253, 'ErrResourceGroupQueryRunawayInterrupted', 'unavailable'],
  [TIDB, 8254, 'ErrResourceGroupQueryRunawayQuarantine', 'unavailable'],
  [TIDB, 9001, 'ErrPDServerTimeout', 'unavailable'],
  [TIDB, 9002, 'ErrTiKVServerTimeout', 'unavailable'],
  [TIDB, 9003, 'ErrTiKVServerBusy', 'unavailable'],
  [TIDB, 9005, 'ErrRegionUnavailable', 'unavailable'],
  [TIDB, 9006, 'ErrGCTooEarly', 'unavailable'],
  [TIDB, 9008, 'ErrTiKVStoreLimit', 'unavailable'],
  [TIDB, 9010, 'ErrTiKVStaleCommand', 'unavailable'],
  [TIDB, 9011, 'ErrTiKVMaxTimestampNotSynced', 'unavailable'],
  [SQLITE, undefined, 'SQLITE_NOMEM', 'unavailable'],
  [SQLITE, undefined, 'SQLITE_PROTOCOL', 'unavailable'],

  // Nodes without their cluster.
  [GALERA, 1047, 'ER_UNKNOWN_COM_ERROR', 'unavailable'],
  [GALERA, 1689, 'ER_LOCK_ABORTED', 'unavailable'],
  // Sent at a commit, also when the server leaves the group; the other members may have committed.
  [GROUP, 3100, 'ER_RUN_HOOK_ERROR', 'unavailable', 'demoted'],
  [GROUP, 3101, 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT', 'unavailable', 'demoted'],
  [GROUP, 3781, 'ER_GR_HOLD_WAIT_TIMEOUT', 'unavailable'],
  [GROUP, 3782, 'ER_GR_HOLD_KILLED', 'unavailable', 'demoted'],
  [GROUP, 3783, 'ER_GR_HOLD_MEMBER_STATUS_ERROR', 'unavailable', 'demoted'],
  [GROUP, 3796, 'ER_GRP_TRX_CONSISTENCY_NOT_ALLOWED', 'unavailable', 'demoted'],
  [GROUP, 3797, 'ER_GRP_TRX_CONSISTENCY_BEFORE', 'unavailable', 'demoted'],
  [GROUP, 3798, 'ER_GRP_TRX_CONSISTENCY_AFTER_ON_TRX_BEGIN', 'unavailable', 'demoted'],
  [GROUP, 3799, 'ER_GRP_TRX_CONSISTENCY_BEGIN_NOT_ALLOWED', 'unavailable', 'demoted'],
  [GLOSS, undefined, 'GROUP_OUTSIDER', 'unavailable'],
  [MYSQL, 3032, 'ER_SERVER_OFFLINE_MODE', 'unavailable', 'demoted'],

  // Servers that only read: perhaps other servers have taken their place.
  [BOTH, 1036, 'ER_OPEN_AS_READONLY', 'unavailable', 'demoted'],
  [BOTH, 1207, 'ER_READ_ONLY_TRANSACTION', 'unavailable', 'demoted'],
  [BOTH, 1290, 'ER_OPTION_PREVENTS_STATEMENT', 'unavailable', 'demoted'],
  [ALL, 1792, 'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', 'unavailable', 'demoted'],
  [ALL, 1836, 'ER_READ_ONLY_MODE', 'unavailable', 'demoted'],
  [BOTH, 1874, 'ER_INNODB_READ_ONLY', 'unavailable', 'demoted'],
  [MYSQL, 3989, 'ER_SCHEMA_READ_ONLY', 'unavailable'],
  [SQLITE, undefined, 'SQLITE_READONLY', 'unavailable'],

  // Disks that are full or fail.
  [BOTH, 1, 'EE_CANTCREATEFILE', 'unavailable'],
  [BOTH, 2, 'EE_READ', 'unavailable'],
  [BOTH, 3, 'EE_WRITE', 'unavailable'],
  [BOTH, 20, 'EE_DISK_FULL', 'unavailable'],
  [BOTH, 1021, 'ER_DISK_FULL', 'unavailable'],
  [BOTH, 1026, 'ER_ERROR_ON_WRITE', 'unavailable'],
  [BOTH, 1030, 'ER_GET_ERRNO', 'unavailable', 'back', 'Got error 28 '],
  [BOTH, 1114, 'ER_RECORD_FILE_FULL', 'unavailable'],
  // Galera also sends this when it has no quorum.
  [BOTH, 1180, 'ER_ERROR_DURING_COMMIT', 'unavailable'],
  [BOTH, 1598, 'ER_BINLOG_LOGGING_IMPOSSIBLE', 'unavailable'],
  [BOTH, 1811, 'ER_IO_WRITE_ERROR', 'unavailable'],
  [BOTH, 1878, 'ER_TEMP_FILE_WRITE_FAILURE', 'unavailable'],
  [MYSQL, 3019, 'ER_INNODB_UNDO_LOG_FULL', 'unavailable'],
  [MYSQL, 3675, 'ER_DISK_FULL_NOWAIT', 'unavailable'],
  [SQLITE, undefined, 'SQLITE_CANTOPEN', 'unavailable'],
  [SQLITE, undefined, 'SQLITE_FULL', 'unavailable'],
  [SQLITE, undefined, 'SQLITE_IOERR', 'unavailable'],

  // Accounts, rights and TLS. The server checks the rights of an account when it connects, and so again for a new
  // connection.
  [BOTH, 1043, 'ER_HANDSHAKE_ERROR', 'refused', 'broken'],
  [ALL, 1044, 'ER_DBACCESS_DENIED_ERROR', 'refused', 'broken'],
  [ALL, 1045, 'ER_ACCESS_DENIED_ERROR', 'refused', 'broken'],
  [ALL, 1049, 'ER_BAD_DB_ERROR', 'refused', 'broken'],
  [BOTH, 1129, 'ER_HOST_IS_BLOCKED', 'refused', 'broken'],
  [BOTH, 1130, 'ER_HOST_NOT_PRIVILEGED', 'refused', 'broken'],
  [ALL, 1142, 'ER_TABLEACCESS_DENIED_ERROR', 'refused', 'broken'],
  [BOTH, 1143, 'ER_COLUMNACCESS_DENIED_ERROR', 'refused', 'broken'],
  [ALL, 1227, 'ER_SPECIFIC_ACCESS_DENIED_ERROR', 'refused', 'broken'],
  [ALL, 1251, 'ER_NOT_SUPPORTED_AUTH_MODE', 'refused', 'broken'],
  [BOTH, 1275, 'ER_SERVER_IS_IN_SECURE_AUTH_MODE', 'refused', 'broken'],
  [ALL, 1524, 'ER_PLUGIN_IS_NOT_LOADED', 'refused', 'broken'],
  [BOTH, 1698, 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR', 'refused', 'broken'],
  [ALL, 1820, 'ER_MUST_CHANGE_PASSWORD', 'refused', 'broken'],
  [ALL, 1862, 'ER_MUST_CHANGE_PASSWORD_LOGIN', 'refused', 'broken'],
  [MYSQL_TIDB, 3118, 'ER_ACCOUNT_HAS_BEEN_LOCKED', 'refused', 'broken'],
  [ALL, 3159, 'ER_SECURE_TRANSPORT_REQUIRED', 'refused', 'broken'],
  [MYSQL, 3879, 'ER_DB_ACCESS_DENIED', 'refused', 'broken'],
  [MYSQL_TIDB, 3955, 'ER_USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK', 'refused', 'broken'],
  [MARIADB, 4150, 'ER_USER_IS_BLOCKED', 'refused', 'broken'],
  [MARIADB, 4151, 'ER_ACCOUNT_HAS_BEEN_LOCKED', 'refused', 'broken'],
  [DRIVER, undefined, 'AUTH_SWITCH_PLUGIN_ERROR', 'refused', 'broken'],
  [DRIVER, undefined, 'MYSQL_CLEAR_PASSWORD_NOT_ENABLED', 'refused', 'broken'],
  [DRIVER, undefined, 'HANDSHAKE_SSL_ERROR', 'refused', 'broken'],
  [DRIVER, undefined, 'HANDSHAKE_NO_SSL_SUPPORT', 'refused', 'broken'],
  [GLOSS, undefined, 'TLS_FILE', 'refused', 'broken'],
  [GLOSS, undefined, 'GROUP_UNREADABLE', 'refused', 'broken'],

  // Changes that are larger than the engine accepts.
  [BOTH, 1153, 'ER_NET_PACKET_TOO_LARGE', 'too large'],
  [BOTH, 1197, 'ER_TRANS_CACHE_FULL', 'too large'],
  [BOTH, 1206, 'ER_LOCK_TABLE_FULL', 'too large'],
  [BOTH, 1705, 'ER_STMT_CACHE_FULL', 'too large'],
  [BOTH, 1713, 'ER_UNDO_RECORD_TOO_BIG', 'too large'],
  [MYSQL, 3231, 'ER_WRITE_SET_EXCEEDS_LIMIT', 'too large'],
  [GALERA, 1105, 'ER_UNKNOWN_ERROR', 'too large', 'back', 'Maximum writeset size exceeded'],
  [TIDB, 8004, 'ErrTxnTooLarge', 'too large'],
  [TIDB, 8025, 'ErrEntryTooLarge', 'too large'],
  [TIDB, 8175, 'ErrMemoryExceedForQuery', 'too large'],
  [SQLITE, undefined, 'SQLITE_TOOBIG', 'too large'],

  [ALL, 1193, 'ER_UNKNOWN_SYSTEM_VARIABLE', 'unknown setting'],
  [ALL, 1238, 'ER_INCORRECT_GLOBAL_LOCAL_VAR', 'unknown setting'],
]

export const ENGINE_ERRORS: readonly EngineError[] = ROWS.map(
  ([of, number, code, failure, fate = 'back', text]) => ({ of, number, code, text, failure, fate }),
)
