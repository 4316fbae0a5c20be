/** Counts the cases of a test and everything that must not happen in them, and prints a summary line. */
import { expect } from '@jest/globals'
import { violations } from '../support/contract-judge.ts'
import type { Answer } from '../support/service.ts'
import { LostConnection } from './connection.ts'

const SHOWN = 25
const SHOWN_CHARACTERS = 900

/** The proxy in front of the service, if any. */
export const PROXY = process.env['TEST_PROXY'] || undefined

/** Large tests run every n-th case; this is n. `HOSTILE_STRIDE=1` runs them all. */
export const stride = (usual: number): number => Number(process.env['HOSTILE_STRIDE'] ?? usual)

const onServer = (globalThis as { database?: string }).database === 'mysql'
const SEED = Number(process.env['TEST_SEED'] ?? 0)

/**
 * The share of the cases that run. Most end before a store is asked, so on a server it is a tenth, and `TEST_SEED` says which;
 * with `HOSTILE_STRIDE` it is everything there, too.
 */
export const SHARE = onServer && process.env['HOSTILE_STRIDE'] === undefined ? 0.1 : 1

/** Whether the case of this number is among them. */
export const isChosen = (number: number): boolean => SHARE === 1 || (number + SEED) % (1 / SHARE) === 0

export class Tally {
  readonly #family: string
  #cases = 0
  readonly #failures: string[] = []
  readonly #undeclared: string[] = []
  readonly #lost: string[] = []
  readonly #disagreements: string[] = []

  constructor(family: string) {
    this.#family = family
  }

  /** Runs a case. A lost connection is counted as such, any other exception as a disagreement. */
  async run(what: string, work: () => Promise<void>): Promise<void> {
    this.#cases++
    try {
      await work()
    } catch (error) {
      if (error instanceof LostConnection) this.#lost.push(`${what}: ${error.message}`)
      else this.disagree(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Counts a case that is run elsewhere. */
  count(): void {
    this.#cases++
  }

  disagree(what: string): void {
    this.#disagreements.push(what)
  }

  /** Checks an answer against the contract. `method` and `target` are those that the service reads. */
  judge(method: string, target: string, answer: Answer, what = `${method} ${target}`): void {
    const line = `${what}: ${String(answer.status)} ${answer.error ?? ''}`
    if (answer.status >= 500) this.#failures.push(line)
    const faults = violations({ method, target, ...answer })
    if (faults.length > 0) this.#undeclared.push(`${line}: ${faults.join('; ')}`)
  }

  /** Prints the summary, and fails if anything happened that must not or if there were too few cases. */
  finish(leastCases: number): void {
    const { database = 'sqlite' } = globalThis as { database?: string }
    const way = [database, PROXY ?? 'direct'].join(', ')
    const kinds = {
      'answers of 5xx': this.#failures,
      undeclared: this.#undeclared,
      'connections lost': this.#lost,
      disagreements: this.#disagreements,
    }
    const counts = Object.entries(kinds).map(([kind, found]) => `${String(found.length)} ${kind}`)
    const cases = this.#cases.toLocaleString('en')
    // Written directly, because jest would add a stack trace.
    process.stderr.write(`${this.#family} (${way}): ${cases} cases, ${counts.join(', ')}\n`)
    const shown = Object.entries(kinds).flatMap(([kind, found]) =>
      found.slice(0, SHOWN).map((one) => `${kind}: ${one.slice(0, SHOWN_CHARACTERS)}`),
    )
    expect(shown).toEqual([])
    expect(this.#cases).toBeGreaterThanOrEqual(leastCases * SHARE * (SHARE === 1 ? 1 : 0.5))
  }
}

/** Runs `jobs` in several workers, each with its own resource. */
export async function inParallel<Job, Own>(
  jobs: readonly Job[],
  workers: number,
  own: () => Own,
  work: (job: Job, own: Own) => Promise<void>,
): Promise<void> {
  const queue = jobs.values()
  const worker = async (): Promise<void> => {
    const mine = own()
    for (const job of queue) await work(job, mine)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
