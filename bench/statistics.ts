/** Medians, quantiles and ratios of measurements. */

/** The value below which a share `q` of the values lies. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * q
  const [low, high] = [sorted[Math.floor(place)] ?? NaN, sorted[Math.ceil(place)] ?? NaN]
  return low + (high - low) * (place - Math.floor(place))
}

/** The geometric mean of ratios, in which twice as long and half as long cancel each other out. */
export const geometricMean = (ratios: readonly number[]): number =>
  Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)

export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The median of many measurements of the same thing, with the quartiles as their spread. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
  readonly count: number
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
  count: values.length,
})

/** The first divided by the second, round by round. */
export const ratiosOf = (over: readonly number[], under: readonly number[]): Spread =>
  spreadOf(over.map((value, round) => value / (under[round] ?? NaN)))

/** The number of rounds: until the time is over, but within these limits. */
export interface Rounds {
  readonly forMs: number
  readonly least: number
  readonly most: number
}

/**
 * Measures several contenders in turn, round by round, so that other load on the machine affects all of them; each round
 * begins with a different one. A contender returns its measurement. The first round is a warm-up and does not count.
 */
export async function interleaved<Name extends string>(
  contenders: Readonly<Record<Name, () => Promise<number>>>,
  { forMs, least, most }: Rounds,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  const end = performance.now() + forMs
  for (let round = 0; round <= least || (round <= most && performance.now() < end); round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length] as Name
      const measured = await contenders[name]()
      if (round > 0) results[name].push(measured)
    }
  }
  return results
}
