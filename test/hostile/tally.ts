/** Counts the cases of a family and what must not happen in any of them, and prints the sum in one line. */
import { expect } from '@jest/globals'
import { violations } from '../support/contract.ts'
import type { Answer } from '../support/service.ts'
import { LostConnection } from './connection.ts'

const SHOWN = 25
const SHOWN_CHARACTERS = 900

/** The proxy that stands in front of the service, if any. */
export const PROXY = process.env['TEST_PROXY'] || undefined

/** Every how many-th case of the large families is run: all of them with `HOSTILE_STRIDE=1`. */
export const stride = (usual: number): number => Number(process.env['HOSTILE_STRIDE'] ?? usual)

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

  /** Runs one case; a connection that is lost in it is counted, any other exception is a disagreement. */
  async run(what: string, work: () => Promise<void>): Promise<void> {
    this.#cases++
    try {
      await work()
    } catch (error) {
      if (error instanceof LostConnection) this.#lost.push(`${what}: ${error.message}`)
      else this.disagree(`${what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** Counts a case that something else runs. */
  count(): void {
    this.#cases++
  }

  disagree(what: string): void {
    this.#disagreements.push(what)
  }

  /** Holds an answer against the contract. `method` and `target` are what the service takes the request for. */
  judge(method: string, target: string, answer: Answer, what = `${method} ${target}`): void {
    const line = `${what}: ${String(answer.status)} ${answer.error ?? ''}`
    if (answer.status >= 500) this.#failures.push(line)
    const faults = violations({ method, target, ...answer })
    if (faults.length > 0) this.#undeclared.push(`${line}: ${faults.join('; ')}`)
  }

  /** Prints the line, and fails where anything happened that must not, or there were too few cases. */
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
    // Past jest, which would put a stack beneath it.
    process.stderr.write(`${this.#family} (${way}): ${cases} cases, ${counts.join(', ')}\n`)
    const shown = Object.entries(kinds).flatMap(([kind, found]) =>
      found.slice(0, SHOWN).map((one) => `${kind}: ${one.slice(0, SHOWN_CHARACTERS)}`),
    )
    expect(shown).toEqual([])
    expect(this.#cases).toBeGreaterThanOrEqual(leastCases)
  }
}

/** Runs each of `jobs`, several at a time, each of the workers with something of its own. */
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
