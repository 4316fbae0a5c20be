/** The table of the bytes per value on disk, and the data of its chart. */
import type { SpaceResult } from './parts/space.ts'
import type { Results } from './results.ts'
import { number, table } from './text.ts'

/** The measured stores, the loaded ones last. */
export const storesOf = ({ space = [], loads = [] }: Results): SpaceResult[] => [
  ...space,
  ...loads.map(({ name, space: loaded }) => ({ ...loaded, name })),
]

/** The names of their tables and indexes. */
export const partsOf = (stores: readonly SpaceResult[]): string[] => [
  ...new Set(stores.flatMap(({ parts }) => parts.map(({ name }) => name))),
]

/** The bytes per value in a table or an index. */
export const bytesEach = ({ parts, values }: SpaceResult, part: string): number =>
  (parts.find(({ name }) => name === part)?.bytes ?? 0) / values

/** Bytes per value: of each store, and of each table and index in it. */
export function spaceTable(results: Results): string {
  const stores = storesOf(results)
  const head = stores.map(({ name, values }) => `${name} (${values.toLocaleString('en')} values)`)
  const rows = partsOf(stores).map((part) => [part, ...stores.map((store) => number(bytesEach(store, part)))])
  const all = ['all', ...stores.map(({ bytes, values }) => number(bytes / values))]
  return table(['Bytes a value', ...head], stores.length === 0 ? [] : [all, ...rows])
}
