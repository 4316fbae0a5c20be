/** Selects the faults to try: the same ones for the same seed and files. */
import { createHash } from 'node:crypto'
import type { Fault } from './operators.ts'

/** The position of a fault in an order that depends only on the seed and the fault. */
const rank = (seed: string, key: string): string =>
  createHash('sha256').update(`${seed} ${key}`).digest('hex')

const inRandomOrder = <T>(items: readonly T[], seed: string, keyOf: (item: T) => string): T[] =>
  items
    .map((item) => [rank(seed, keyOf(item)), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, item]) => item)

/** `count` faults: one of each file, in random order, then a second one of each, and so on. */
export function sampleOf(byFile: readonly (readonly Fault[])[], seed: string, count: number): Fault[] {
  const files = inRandomOrder(
    byFile.filter((faults) => faults.length > 0),
    seed,
    ([first]) => first?.file ?? '',
  ).map((faults) => inRandomOrder(faults, seed, (fault) => JSON.stringify(fault)))
  const rounds = Math.max(0, ...files.map((faults) => faults.length))
  const sample: Fault[] = []
  for (let round = 0; round < rounds && sample.length < count; round++) {
    sample.push(...files.flatMap((faults) => faults[round] ?? []).slice(0, count - sample.length))
  }
  return sample
}
