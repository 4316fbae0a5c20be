/** The types of an attack. */
import type { Kind } from './bystander.ts'
import type { Contents } from './store.ts'

/** The target of an attack. */
export interface Target {
  readonly port: number
  readonly pid: number
}

/** The result of an attack. */
export interface Outcome {
  /** How often each status came, or each word for another end of a connection. */
  readonly answers: ReadonlyMap<string, number>
  /** The number of requests that share the cost, if one request costs too little to measure; 1 if undefined. */
  readonly times?: number
}

/** An attack in two sizes; the second is twice the first. */
export interface Attack {
  readonly name: string
  /** A description of the requests, by size. */
  readonly what: (size: number) => string
  readonly size: number
  /** The size with `--quick`. */
  readonly quick: number
  /** The expected answers; any other answer misses the goal. */
  readonly expected: readonly string[]
  /** The other users during the attack; by default one who reads a value. */
  readonly bystanders?: readonly Kind[]
  /** The most that the cost may grow at twice the size; 2.2 if undefined. */
  readonly growth?: number
  /** The longest time for the attack in milliseconds, if there is a goal. */
  readonly withinMs?: number
  /** The longest wait of writers in milliseconds; by default the longest time for the attack, or else that of readers. */
  readonly writersWaitMs?: number
  /** Settings of the service. */
  readonly settings?: Readonly<Record<string, string>>
  /** Prepares all requests. The returned function sends them, and waits for the outcome. */
  prepare(size: number, contents: Contents): (target: Target) => Promise<Outcome>
}

/** Adds up outcomes. */
export function together(outcomes: readonly Outcome[]): Outcome {
  const answers = new Map<string, number>()
  for (const outcome of outcomes)
    for (const [answer, count] of outcome.answers) answers.set(answer, (answers.get(answer) ?? 0) + count)
  return { answers }
}
