/** What an attack is. */
import type { Kind } from './bystander.ts'
import type { Contents } from './store.ts'

/** Where an attack goes. */
export interface Target {
  readonly port: number
  readonly pid: number
}

/** What came of an attack. */
export interface Outcome {
  /** The statuses of the answers and how often each came, or another word for what happened to a connection. */
  readonly answers: ReadonlyMap<string, number>
  /** How many requests share the cost, where one alone costs too little to be measured; 1 if undefined. */
  readonly times?: number
}

/** One of the attacks, in two sizes of which the second is twice the first. */
export interface Attack {
  readonly name: string
  /** What is sent, by size. */
  readonly what: (size: number) => string
  readonly size: number
  /** The size with `--quick`. */
  readonly quick: number
  /** The answers that are expected; any other misses the goal. */
  readonly expected: readonly string[]
  /** Who waits meanwhile; by default somebody who reads a value. */
  readonly bystanders?: readonly Kind[]
  /** How many times the cost twice the size may have; 2.2 if undefined. */
  readonly growth?: number
  /** The longest that the attack may take in milliseconds, if there is a goal. */
  readonly withinMs?: number
  /** The longest that writers may wait in milliseconds; by default as long as the attack may take, or as readers. */
  readonly writersWaitMs?: number
  /** Settings of the service. */
  readonly settings?: Readonly<Record<string, string>>
  /** Makes everything that is to be sent; the function that it returns sends it, and waits for the outcome. */
  prepare(size: number, contents: Contents): (target: Target) => Promise<Outcome>
}

/** Adds up outcomes. */
export function together(outcomes: readonly Outcome[]): Outcome {
  const answers = new Map<string, number>()
  for (const outcome of outcomes)
    for (const [answer, count] of outcome.answers) answers.set(answer, (answers.get(answer) ?? 0) + count)
  return { answers }
}
