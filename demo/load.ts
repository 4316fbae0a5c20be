/** Loading: many objects in a request, and a bar that says how far it is. */
import { Presets, SingleBar } from 'cli-progress'
import type { Client } from './client.ts'
import type { Element } from './element.ts'

/** What is loaded, as its bar names it, and one after another. */
export interface Load<T> {
  readonly what: string
  readonly items: readonly T[]
  /** How many go into one request. */
  readonly atOnce: number
  readonly send: (items: readonly T[]) => Promise<unknown>
}

/** Sends everything, and says how long that took. */
export async function load<T>({ what, items, atOnce, send }: Load<T>): Promise<void> {
  const bar = new SingleBar(
    {
      format: `Loading  {bar}  {value} of {total} ${what}, {eta_formatted} to go`,
      noTTYOutput: true,
      notTTYSchedule: 5000,
    },
    Presets.shades_classic,
  )
  const start = performance.now()
  bar.start(items.length, 0)
  try {
    for (let first = 0; first < items.length; first += atOnce) {
      const some = items.slice(first, first + atOnce)
      await send(some)
      bar.increment(some.length)
    }
  } finally {
    bar.stop()
  }
  const seconds = (performance.now() - start) / 1000
  const rate = Math.round(items.length / seconds).toLocaleString('en')
  const total = items.length.toLocaleString('en')
  console.log(`${total} ${what} in ${seconds.toFixed(1)} s: ${rate} ${what} per second`)
}

/** Puts values on objects. */
export const put = (client: Client, queries: readonly Element[]): Promise<unknown> =>
  client.request('PUT', '/values', { queries })

/** Says what tags are about; the empty name stands for the namespace itself. */
export async function describe(
  client: Client,
  owner: string,
  descriptions: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, description] of Object.entries(descriptions)) {
    const path = name === '' || name === 'names' ? '/namespaces' : '/tags'
    await client.request('PUT', `${path}/${[owner, name].filter(Boolean).join('/')}`, { description })
  }
}
