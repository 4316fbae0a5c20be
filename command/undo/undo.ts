/** `gloss undo`: takes a change back, value by value, and leaves what others have changed since. */
import { existsSync, rmSync } from 'node:fs'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { withSpelling } from '../connection/query-failure.ts'
import { Failure, misuse, STATUS } from '../../common/failure.ts'
import { Reader } from '../../common/undoing/reading.ts'
import type { ObjectChange } from '../../common/undoing/states.ts'
import { takeBack, type How } from '../../common/undoing/taking-back.ts'
import { Tally, type Sums } from '../../common/undoing/tally.ts'
import { visible } from '../../common/values.ts'
import { show, type OutputOptions } from '../terminal/output.ts'
import { Progress } from '../terminal/progress.ts'
import { confirm, isQuiet, tell, warn } from '../terminal/terminal.ts'
import { timeCell } from '../terminal/time.ts'
import { patientAttempt } from './patience.ts'
import { forget, keptIds, Record } from './record.ts'

interface Options extends ConnectionOptions, OutputOptions {
  readonly list?: true
  readonly yes?: true
  readonly dryRun?: true
}

/** The number of concurrent requests of an import. */
const AT_ONCE = 2

const COLUMNS = ['id', 'time', 'service', 'user', 'command', 'values']

export async function run([id]: readonly string[], options: Options): Promise<number> {
  if (options.list) return list(options)
  const connection = await connect(options)
  const record = id === undefined ? latest(connection) : Record.open(Number(id))
  try {
    refuseElsewhere(connection, record)
    return await undo(connection, record, options)
  } finally {
    record.close()
  }
}

/** Shows the changes that can be taken back, the latest one first. */
async function list(options: Options): Promise<number> {
  const rows = records().map(({ id, change, values }) => {
    const { time, url, user, command } = change
    return [BigInt(id), timeCell(time, options), url, user ?? undefined, command, BigInt(values)]
  })
  await show({ columns: COLUMNS, rows }, options)
  return STATUS.done
}

/** The records with values, the latest one first. They are closed. */
function records(): Record[] {
  return keptIds()
    .toReversed()
    .map((id) => {
      const record = Record.open(id)
      record.close()
      if (record.isTaken) forget(id)
      return record
    })
    .filter(({ values }) => values > 0)
}

const isOf = ({ change }: Record, { url, user }: Connection): boolean =>
  change.url === url && change.user?.toLowerCase() === user?.toLowerCase()

function latest(connection: Connection): Record {
  const record = records().find((one) => isOf(one, connection))
  if (record !== undefined) return Record.open(record.id)
  const { url, user } = connection
  throw new Failure(
    `no change ${user === undefined ? 'without a user' : `of ${user}`} at ${url} can be taken back`,
    'gloss undo --list shows those that can',
  )
}

/** Throws a `Failure` if the change was made at another service or by another user. */
function refuseElsewhere(connection: Connection, record: Record): void {
  if (isOf(record, connection)) return
  const { url, user } = record.change
  throw misuse(
    `change ${String(record.id)} was made at ${url} ${user === null ? 'without a user' : `as ${user}`}`,
    `say ${user === null ? '' : `--as ${user} `}--url ${url}`,
  )
}

async function undo(connection: Connection, record: Record, options: Options): Promise<number> {
  const { time, command, journal } = record.change
  tell(`${time.slice(0, 16).replace('T', ' ')} UTC: ${visible(command)}`)
  if (options.dryRun || !options.yes) {
    const sums = await through(connection, record, true)
    tell(said(sums, 'would be'))
    if (options.dryRun) return statusOf(sums.left + record.left)
    if (!(await confirm('Take this back?', false))) {
      tell('Nothing was changed.')
      return STATUS.done
    }
  }
  if (journal !== undefined && existsSync(journal)) {
    rmSync(journal)
    tell('The import cannot be resumed any more. Import the whole file again if you want it.')
  }
  const { back, removed, left } = await through(connection, record, false)
  forget(record.id)
  const all = { back, removed, left: record.left }
  if (left > 0 || record.left > 0) warn(said(all, 'are'))
  else tell(said(all, 'are'))
  return statusOf(all.left)
}

const statusOf = (left: number): number => (left > 0 ? STATUS.partly : STATUS.done)

const values = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`

function said({ back, removed, left }: Sums, verb: 'are' | 'would be'): string {
  const is = (count: number): string => (verb === 'are' && count === 1 ? 'is' : verb)
  const changed = left === 0 ? '' : `; ${values(left)} ${is(left)} left, changed since`
  return `${values(back)} ${is(back)} what they were, ${values(removed)} ${is(removed)} removed${changed}`
}

/** Takes all parts back, the latest one first; with `isDry` it only counts. */
async function through(connection: Connection, record: Record, isDry: boolean): Promise<Sums> {
  const { client } = connection
  const attempt = patientAttempt({
    signal: new AbortController().signal,
    waiting: (seconds, why) => {
      tell(`${why}; trying again in ${String(seconds)} s`)
    },
  })
  const tally = new Tally()
  const how: How = { client, reader: new Reader(client, attempt), attempt, tally, isDry }
  const progress = new Progress('parts', isQuiet())
  const last: (readonly ObjectChange[])[] = []
  await withSpelling(connection, async () => {
    for await (const objects of progress.watch(
      (async function* () {
        yield* record.parts()
      })(),
    )) {
      const before = tally.sums.left
      await takeBack(objects, how)
      if (!isDry) record.taken(tally.sums.left - before)
      if (last.length < AT_ONCE) last.push(objects)
    }
    // The service may have written the last requests of an import that was killed while the rest was taken back.
    if (!isDry && record.change.journal !== undefined)
      for (const objects of last) await takeBack(objects, { ...how, tally: new Tally() })
  })
  return tally.sums
}
