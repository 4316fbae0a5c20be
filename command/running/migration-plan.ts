/** What bringing a store up to date would do, for `gloss migrate --plan`. */
import type { Migrations } from '../../src/data/store/migrations/index.ts'
import { onlyAdds, type Fit } from '../../src/data/store/versions.ts'
import { visible } from '../../common/values.ts'
import { formatOf, show, type OutputOptions } from '../terminal/output.ts'
import { print } from './kept-store.ts'

/** A migration that would run. */
interface Planned {
  readonly migration: string
  readonly does: string
  readonly took: string
  /** What older versions can do meanwhile and afterwards. */
  readonly meanwhile: string
  /** How to go back. */
  readonly back: string
}

/** The migrations that would run on a store, in their order. */
export function planOf({ relation, pending }: Fit, migrations: Migrations): Planned[] {
  return pending.map((name) => ({
    migration: name,
    does: migrations[name]?.about.does ?? '',
    took: migrations[name]?.about.took ?? '',
    ...(relation === 'new' ? ON_NEW : onlyAdds(name) ? ADDING : CHANGING),
  }))
}

const ON_NEW = {
  meanwhile: 'There is no store yet that an older version could serve.',
  back: 'Delete the new, empty database.',
}
const ADDING = {
  meanwhile: 'Older versions serve, before and after: restart the instances one by one.',
  back: 'Restart the instances with the older version one by one; the schema stays as it is.',
}
const CHANGING = {
  meanwhile: 'Older versions cannot use the store from its first change on: stop all instances before.',
  back: 'Restore the backup made before, into a new database; it lacks all that was written since.',
}

const COLUMNS = ['migration', 'does', 'took', 'meanwhile', 'back'] as const

/** Prints whole sentences; a table would cut them. */
export async function showPlan(plan: readonly Planned[], options: OutputOptions): Promise<void> {
  const format = formatOf(options)
  if (options.columns === undefined && options.output === undefined && /^(?:table|tsv)$/.test(format)) {
    for (const { migration, does, took, meanwhile, back } of plan) {
      print(migration)
      print(`  does       ${visible(does)}`)
      print(`  took       ${visible(took)}`)
      print(`  meanwhile  ${meanwhile}`)
      print(`  back       ${back}`)
    }
  } else await show({ columns: COLUMNS, rows: plan.map((one) => COLUMNS.map((name) => one[name])) }, options)
}
