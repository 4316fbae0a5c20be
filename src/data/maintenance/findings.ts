/** The findings of a check: for each rule the number of rows checked, the faults, and the possible repairs. */
import { idText } from '../database/ids/ids.ts'
import type { Sql } from '../database/connection/sql.ts'
import type { WriteTx } from '../store/views.ts'

/** The rules in the order of the report, each with its condition and its repair. */
export const RULES = {
  users: {
    holds: 'users have valid names and roles, and a namespace of that name; the built-in ones are there',
    repair: undefined,
  },
  namespaces: {
    holds: 'namespaces have valid paths, and the parent and the name that the path says',
    repair: 'sets the parent and the name by the path',
  },
  tags: {
    holds: 'tags have valid paths, and the namespace and the name that the path says',
    repair: 'sets the namespace and the name by the path',
  },
  'things and objects': {
    holds: 'users have the object that is about them, namespaces and tags one that is about nothing else',
    repair: undefined,
  },
  exceptions: {
    holds: 'exceptions of policies are of namespaces and tags that exist, for users that exist',
    repair: 'deletes exceptions of what does not exist',
  },
  ids: {
    holds: 'the next numbers of users, namespaces and tags are above all that are in use, or were',
    repair: 'raises the next number',
  },
  purges: {
    holds: 'tags that are being purged do not exist',
    repair: undefined,
  },
  orphans: {
    holds: 'values, parts and terms belong to a tag, and parts to a value',
    repair: 'deletes parts without a value, and leaves what has no tag to the purge of deleted tags',
  },
  contents: {
    holds: 'the content of each value is canonical for its type, and opaque ones have a content type',
    repair: 'sets the type by the content',
  },
  sizes: {
    holds: 'the size of each value is that of its content; long contents are in parts, all of them there',
    repair: 'sets the size of short contents, and deletes parts that these have',
  },
  'sort keys': {
    holds: 'the sort key of each value is that of its content',
    repair: 'makes the sort key anew',
  },
  bounds: {
    holds: 'no tag has more values than its bound',
    repair: 'raises the bound',
  },
  terms: {
    holds: 'the terms of each value are its words and items, no more and no fewer',
    repair: 'deletes and inserts rows of terms',
  },
  'about values': {
    holds: 'each about value is the service/about of its object, and the other way round',
    repair: 'deletes and inserts rows of about_values',
  },
  'system values': {
    holds:
      'paths, user names and roles in values of system tags are those of the things; nothing else has any',
    repair: 'writes paths, user names and roles anew, and deletes values of what is no such thing',
  },
  indexes: {
    holds: 'the indexes of values have the rows of the table, no more and no fewer',
    repair: undefined,
  },
} as const

export type Rule = keyof typeof RULES

/**
 * Repairs one fault, and returns whether it changed anything. It may run again, and must do nothing if the faulty rows have
 * changed meanwhile.
 */
export type Repair = <V>(tx: WriteTx<V>) => Promise<boolean>

/** Receives the repair of a fault. */
export type TakeRepair = (rule: Rule, repair: Repair) => Promise<void>

/** Whether a statement changes any row. */
export const changes = async <V>(tx: WriteTx<V>, statement: Sql): Promise<boolean> =>
  (await tx.run(statement)) > 0

/** The findings of one rule. */
export interface Finding {
  readonly rule: Rule
  /** How many rows or values were checked. */
  readonly checked: number
  /** How many of them break it. */
  readonly broken: number
  /** How many of the broken ones can be repaired from other tables. */
  readonly repairable: number
  /** Remains of deleted tags and users, which break no rule. */
  readonly remains: number
  /** The first faults: ids and paths, never contents. */
  readonly examples: readonly string[]
}

const EXAMPLES = 10

type OpenFinding = { -readonly [K in keyof Finding]: Finding[K] } & { readonly examples: string[] }

/** Collects findings. */
export class Findings {
  readonly #byRule = new Map<Rule, OpenFinding>()
  readonly #repair: TakeRepair | undefined

  /** `repair` receives the repair of each fault; without it nothing is repaired. */
  constructor(repair?: TakeRepair) {
    this.#repair = repair
    for (const rule of Object.keys(RULES) as Rule[]) {
      this.#byRule.set(rule, { rule, checked: 0, broken: 0, repairable: 0, remains: 0, examples: [] })
    }
  }

  checked(rule: Rule, count = 1): void {
    this.#of(rule).checked += count
  }

  remains(rule: Rule, count = 1): void {
    this.#of(rule).remains += count
  }

  /** Notes a fault. */
  async broken(rule: Rule, example: string, repair?: Repair): Promise<void> {
    const finding = this.#of(rule)
    finding.broken += 1
    if (finding.examples.length < EXAMPLES) finding.examples.push(example)
    if (repair === undefined) return
    finding.repairable += 1
    await this.#repair?.(rule, repair)
  }

  all(): readonly Finding[] {
    return [...this.#byRule.values()]
  }

  #of(rule: Rule): OpenFinding {
    const finding = this.#byRule.get(rule)
    if (finding === undefined) throw new Error(`no rule ${rule}`)
    return finding
  }
}

/** The text by which examples name a value. */
export const placeText = (tagId: number, object: Buffer): string =>
  `tag ${String(tagId)}, object ${idText(object)}`
