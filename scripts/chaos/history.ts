/** Records requests and answers, and derives which values a read may return. */

import { RULES, type Rule } from './rules.ts'

/** The outcome of a request: done, refused, or unknown. */
export type Outcome = 'done' | 'refused' | 'unknown'

/** The counts of a run. */
export class Tally {
  readonly outcomes = new Map<string, Record<Outcome, number>>()
  /** The number of checks of each rule. */
  readonly checks = new Map<Rule, number>(RULES.map((rule) => [rule, 0]))
  /** The violations, a line each. */
  readonly violations: string[] = []

  count(operation: string, outcome: Outcome): void {
    const counts = this.outcomes.get(operation) ?? { done: 0, refused: 0, unknown: 0 }
    counts[outcome] += 1
    this.outcomes.set(operation, counts)
  }

  /** Checks a rule. `seen` describes the observation if it violates the rule. */
  check(rule: Rule, holds: boolean, seen: string): void {
    this.checks.set(rule, (this.checks.get(rule) ?? 0) + 1)
    if (!holds) this.violated(`${rule}: ${seen}`)
  }

  violated(what: string): void {
    this.violations.push(`${new Date().toISOString()} ${what}`)
  }

  /** Call this at the end: it reports rules that were never checked. */
  requireAllChecked(): void {
    for (const [rule, times] of this.checks) if (times === 0) this.violated(`${rule}: was never checked`)
  }
}

/**
 * A number that one writer increments and all clients read. A read returns at least the number acknowledged before the
 * request, and at most the number attempted before the answer.
 */
export class Counter {
  readonly #rule: Rule
  readonly #name: string
  readonly #tally: Tally
  #acknowledged = 0
  #attempted = 0

  constructor(rule: Rule, name: string, tally: Tally) {
    this.#rule = rule
    this.#name = name
    this.#tally = tally
  }

  /** The next number; from now on it counts as attempted. */
  next(): number {
    this.#attempted += 1
    return this.#attempted
  }

  /** Records the outcome of a number. If the outcome is unknown, the number may become visible now or never. */
  settle(number: number, outcome: Outcome): void {
    if (outcome === 'done') this.#acknowledged = number
  }

  /** Call this before a request, and the returned function with the number in its answer, 0 if there is none. */
  asked(): (read: number) => void {
    const least = this.#acknowledged
    return (read) => {
      this.#tally.check(
        this.#rule,
        read >= least && read <= this.#attempted,
        `${this.#name} is ${String(read)}, acknowledged ${String(least)}, attempted ${String(this.#attempted)}`,
      )
    }
  }
}

/**
 * A value that is open or closed to all users. If it was closed before a request and remains so, the answer must not show
 * it.
 */
export class Door {
  /** The number of times it was, or may have been, opened. */
  #openings = 0
  #closed = false

  opening(): void {
    this.#openings += 1
    this.#closed = false
  }

  closed(): void {
    this.#closed = true
  }

  /** Call this before a request; the returned function tells whether the service must have refused it. */
  asked(): () => boolean {
    const openings = this.#openings
    const closed = this.#closed
    return () => closed && openings === this.#openings
  }
}
