/** Scenarios of a service and commands during faults on the files of their store, and the checks afterwards. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../test/search/random.ts'
import { listening } from '../../test/support/process.ts'
import {
  calmly,
  differences,
  ended,
  kill,
  OLD,
  OLD_PLACES,
  prepareStore,
  sendAll,
  startOn,
  storeIn,
  stuck,
  withService,
  type Run,
} from './runs.ts'
import { bulk, opaque, outcomeOf, primitive, unlessStuck, violationsIn } from './writes.ts'
import type { Violation, Write } from './writes.ts'

export interface Scenario {
  /** Creates the initial state of each run, in a folder that does not exist yet. */
  prepare(folder: string): Promise<void>
  /**
   * Runs the scenario, and stops the programs that it starts. Resolves to the violations; rejects if the store is
   * unusable afterwards.
   */
  run(run: Run): Promise<Violation[]>
}

const PASSWORD_SHOWN = /password of the superuser 'service' is (\S+)/

/** A first start: if the service has shown the password, it must be valid; if not, the next start must show one. */
const start: Scenario = {
  prepare: () => Promise.resolve(),
  async run({ folder, trace }) {
    const first = startOn(folder, trace.command('src/main'))
    const port = await unlessStuck(listening(first))
    await kill(first)
    const violations = port === undefined ? [stuck('the start')] : []
    await withService(folder, async (url, second) => {
      const [shown, shownAgain] = [first, second].map(({ printed }) => PASSWORD_SHOWN.exec(printed())?.[1])
      const password = shown ?? shownAgain
      if (password === undefined) {
        violations.push({ kind: 'half', text: 'there is a password, and it was never shown' })
        return
      }
      const write = primitive('/about/new/service/faults/new', 1)
      const outcome = await outcomeOf(url, write, { as: 'service', password })
      if (outcome !== 'acknowledged')
        violations.push({ kind: 'lost', text: `a write with the password that was shown: ${outcome}` })
    })
    return [...violations, ...(await violationsIn(storeIn(folder)))]
  },
}

/** Sends writes to a service whose calls fail, and kills it. */
async function writing(run: Run, batches: readonly (readonly Write[])[]): Promise<Violation[]> {
  const { folder, trace, goesOn } = run
  const outcomes = await withService(folder, async (url, service) => {
    await trace.attach(service.process)
    return sendAll(url, batches, goesOn)
  })
  await trace.ended()
  return violationsIn(storeIn(folder), outcomes)
}

const put: Scenario = {
  prepare: prepareStore,
  run(run) {
    const [one = '', another = ''] = OLD_PLACES
    return writing(run, [
      [primitive('/about/new-1/alice/faults/new', 1)],
      [primitive('/about/new-2/alice/faults/new', 'a text of words')],
      [opaque(one, Buffer.from('short'), OLD)],
      [
        primitive('/about/new-3/alice/faults/new', ['a', 'set']),
        primitive('/about/new-4/alice/faults/other', true),
        opaque(another, Buffer.alloc(30_000, 'longer '), OLD),
      ],
      [primitive('/about/new-5/alice/faults/new', 5)],
    ])
  },
}

const putValues: Scenario = {
  prepare: prepareStore,
  run: (run) =>
    writing(run, [[bulk('first', 2)], [bulk('second', 12)], [bulk('third', 2), bulk('fourth', 2)]]),
}

/** The size of incompressible data, in octets: its backup takes as many write calls as fail one by one. */
const NOISE = 1_500_000

const backup: Scenario = {
  async prepare(folder) {
    await prepareStore(folder, true)
    const random = new Random(1)
    const noise = Buffer.from(Array.from({ length: NOISE }, () => random.below(256)))
    await withService(folder, async (url, service) => {
      await outcomeOf(url, opaque('/about/noise/alice/faults/noise', noise))
      service.process.kill('SIGTERM')
      await service.end
    })
  },
  async run({ folder, prepared, trace }) {
    const file = join(folder, 'backup.gz')
    const { status } = await ended(folder, trace.command('command/gloss', 'backup', '--to', file))
    const violations = status === undefined ? [stuck('gloss backup')] : []
    if (status === 0) {
      const restored = join(folder, 'restored')
      await calmly(restored, 'restore', '--from', file)
      violations.push(...(await differences(restored, prepared)))
    } else if (existsSync(file))
      violations.push({ kind: 'half', text: 'a backup that failed has left its file' })
    return [...violations, ...(await violationsIn(storeIn(folder)))]
  },
}

/** The number of pages in the log that triggers a checkpoint, and the octets of each. */
const CHECKPOINT = { pages: 10_000, octets: 4096 + 24 }
/** The number of pages before the checkpoint at which the trace begins. */
const EARLY = 60

/** Fills the log almost up to a checkpoint, with one value after the other in the same place; returns the last one. */
async function fillLog(folder: string, url: string): Promise<Write> {
  for (let i = 0; ; i++) {
    const { size } = statSync(join(folder, 'gloss.db-wal'))
    const left = CHECKPOINT.pages - size / CHECKPOINT.octets - EARLY
    const octets = Math.max(1, Math.min(Math.floor(left * 3000), 1_000_000))
    const write = opaque('/about/filling/alice/faults/filling', Buffer.alloc(octets, `filling ${String(i)}`))
    if ((await outcomeOf(url, write)) !== 'acknowledged') throw new Error('the log cannot be filled')
    if (left < EARLY / 2) return write
  }
}

/**
 * The log grows until SQLite copies it into the database and restarts it. When the service stops, SQLite copies and
 * deletes it.
 */
const checkpoint: Scenario = {
  prepare: prepareStore,
  async run({ folder, trace, goesOn }) {
    const violations: Violation[] = []
    const batches = [1, 2, 3, 4, 5, 6].map((i) => [
      opaque(`/about/past-${String(i)}/alice/faults/past`, Buffer.alloc(100_000, `past ${String(i)}`)),
    ])
    const outcomes = await withService(folder, async (url, service) => {
      const last = await fillLog(folder, url)
      await trace.attach(service.process)
      const sent = await sendAll(url, batches, goesOn)
      if (goesOn) {
        service.process.kill('SIGTERM')
        if ((await unlessStuck(service.end)) === undefined) violations.push(stuck('the service'))
      }
      return new Map([...sent, [last, 'acknowledged' as const]])
    })
    await trace.ended()
    return [...violations, ...(await violationsIn(storeIn(folder), outcomes))]
  },
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  start,
  put,
  'put-values': putValues,
  backup,
  checkpoint,
}
