/** What was asked and answered, and what may be seen after it. */

import { RULES, type Rule } from './rules.ts'

/** What became of a request: done, refused, or nobody knows. */
export type Outcome = 'done' | 'refused' | 'unknown'

/** What a run has counted. */
export class Tally {
  readonly outcomes = new Map<string, Record<Outcome, number>>()
  /** How often each rule was held against what was seen. */
  readonly checks = new Map<Rule, number>(RULES.map((rule) => [rule, 0]))
  /** What must not be, a line each. */
  readonly violations: string[] = []

  count(operation: string, outcome: Outcome): void {
    const counts = this.outcomes.get(operation) ?? { done: 0, refused: 0, unknown: 0 }
    counts[outcome] += 1
    this.outcomes.set(operation, counts)
  }

  /** Holds a rule against what was seen, which is `seen` if the rule is broken. */
  check(rule: Rule, holds: boolean, seen: string): void {
    this.checks.set(rule, (this.checks.get(rule) ?? 0) + 1)
    if (!holds) this.violated(`${rule}: ${seen}`)
  }

  violated(what: string): void {
    this.violations.push(`${new Date().toISOString()} ${what}`)
  }

  /** To be called at the end: a rule that was never checked was not kept. */
  requireAllChecked(): void {
    for (const [rule, times] of this.checks) if (times === 0) this.violated(`${rule}: was never checked`)
  }
}

/**
 * A number that one writer counts up and anybody reads. What is read is no less than what was acknowledged before the
 * question, and no more than what was attempted before the answer.
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

  /** The next number, which is attempted from now on. */
  next(): number {
    this.#attempted += 1
    return this.#attempted
  }

  /** What became of a number. One whose write is not known to have failed may be seen from now on or never. */
  settle(number: number, outcome: Outcome): void {
    if (outcome === 'done') this.#acknowledged = number
  }

  /** To be called when a question is asked; the result is called with what is read, 0 for nothing. */
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

/** Something that is open or closed to all. What was closed when a question was asked, and stays so, is not shown. */
export class Door {
  /** How often it was, or may have been, opened. */
  #openings = 0
  #closed = false

  opening(): void {
    this.#openings += 1
    this.#closed = false
  }

  closed(): void {
    this.#closed = true
  }

  /** To be called when a question is asked; the result says whether it must not have been answered. */
  asked(): () => boolean {
    const openings = this.#openings
    const closed = this.#closed
    return () => closed && openings === this.#openings
  }
}
