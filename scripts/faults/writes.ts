/** Sends writes to a service, records their outcomes, and checks a reopened store against them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStore } from '../../src/data/maintenance/check-store.ts'
import { PATIENT } from '../../test/support/database.ts'
import { send, startAnother, type Options, type Service } from '../../test/support/service.ts'

/** The kinds of violations. Half: the store contains a part without the rest, or violates its rules. */
export const KINDS = ['half', 'lost', 'there though refused', 'stuck'] as const

export interface Violation {
  readonly kind: (typeof KINDS)[number]
  readonly text: string
}

/** The content of one PUT; the service must write all of it or nothing. */
export interface Write {
  readonly path: string
  readonly options: Options
  readonly places: readonly WrittenValue[]
}

/** The path of a value, with its value before (if any) and after. */
interface WrittenValue {
  readonly path: string
  readonly before?: Buffer | undefined
  readonly after: Buffer
}

/** The service may have done a write without an answer. It has not done one that was not sent. */
type Outcome = 'acknowledged' | 'refused' | 'not sent' | 'unanswered' | 'stuck'

export type Outcomes = ReadonlyMap<Write, Outcome>

export const primitive = (path: string, value: unknown): Write => {
  const after = JSON.stringify(value)
  return { path, options: { primitive: after }, places: [{ path, after: Buffer.from(after) }] }
}

export const opaque = (path: string, after: Buffer, before?: Buffer): Write => ({
  path,
  options: { body: after, headers: { 'content-type': 'application/octet-stream' } },
  places: [{ path, before, after }],
})

/** A PUT of a number and a text on each of that many objects, an element for each object. */
export function bulk(name: string, count: number): Write {
  const abouts = Array.from({ length: count }, (_, i) => `${name}-${String(i)}`)
  const queries = abouts.map((about, i) => [
    `service/about = "${about}"`,
    { 'alice/faults/number': { value: i }, 'alice/faults/text': { value: `${about} and words` } },
  ])
  return {
    path: '/values',
    options: { json: { queries } },
    places: abouts.flatMap((about, i) => [
      { path: `/about/${about}/alice/faults/number`, after: Buffer.from(String(i)) },
      { path: `/about/${about}/alice/faults/text`, after: Buffer.from(`"${about} and words"`) },
    ]),
  }
}

/** The time after which a request counts as stuck, in milliseconds; it is far longer than any request takes. */
const STUCK_MS = 120_000

/** The result of a promise, or undefined if it takes too long. */
export async function unlessStuck<T>(promise: Promise<T>): Promise<T | undefined> {
  const settled = new AbortController()
  try {
    const late = sleep(STUCK_MS, undefined, { signal: settled.signal })
    late.catch(() => undefined)
    return await Promise.race([promise, late])
  } finally {
    settled.abort()
  }
}

/** Sends a write. */
export async function outcomeOf(
  url: string,
  { path, options }: Write,
  asker: Pick<Options, 'as' | 'password'> = { as: 'alice' },
): Promise<Outcome> {
  const answered = send(url, 'PUT', path, { ...asker, ...options }).then(
    ({ status }) => (status < 300 ? ('acknowledged' as const) : ('refused' as const)),
    () => 'unanswered' as const,
  )
  return (await unlessStuck(answered)) ?? 'stuck'
}

/** Reopens a store in this process, and returns its violations and those of the writes. */
export async function violationsIn(
  databaseUrl: string,
  outcomes: Outcomes = new Map(),
): Promise<Violation[]> {
  const service = await startAnother(databaseUrl, PATIENT)
  try {
    const violations: Violation[] = []
    for (const { rule, broken } of await checkStore(service.store))
      if (broken > 0) violations.push({ kind: 'half', text: `the store breaks the rule '${rule}'` })
    for (const [write, outcome] of outcomes) violations.push(...(await violationsOf(service, write, outcome)))
    return violations
  } finally {
    await service.stop()
  }
}

async function violationsOf({ url }: Service, write: Write, outcome: Outcome): Promise<Violation[]> {
  const found = new Set<Found>()
  for (const place of write.places) found.add(foundAt(place, await send(url, 'GET', place.path, {})))
  const kind = kindOf([...found], outcome)
  const text = `PUT ${write.path} was ${outcome}, and there is ${[...found].join(' and ')}`
  return kind === undefined ? [] : [{ kind, text }]
}

type Found = 'what was there before' | 'what it writes' | 'something else'

function foundAt({ before, after }: WrittenValue, answer: { status: number; body: Buffer }): Found {
  const stored = answer.status === 404 ? undefined : answer.body
  if (stored === undefined || before === undefined) {
    if (stored === before) return 'what was there before'
  } else if (stored.equals(before)) return 'what was there before'
  return stored?.equals(after) === true ? 'what it writes' : 'something else'
}

function kindOf([found, ...others]: readonly Found[], outcome: Outcome): Violation['kind'] | undefined {
  if (others.length > 0 || found === 'something else') return 'half'
  if (outcome === 'stuck') return 'stuck'
  if (outcome === 'unanswered') return undefined
  if (outcome === 'acknowledged') return found === 'what it writes' ? undefined : 'lost'
  return found === 'what it writes' ? 'there though refused' : undefined
}
