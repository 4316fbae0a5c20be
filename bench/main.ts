/** Measures Gloss beside SQL written by hand, a bare server and other services, all in one run (`npm run bench`). */
import { parseArgs } from 'node:util'
import { FULL_SIZE } from './catalogue.ts'
import { measureQueries, type QueryResult } from './parts/queries.ts'
import { openSides, type Patience } from './sides.ts'
import { mysqlStores, sqliteStores, type DatabaseKind } from './store.ts'

const PATIENT: Patience = {
  question: { forMs: 6_000, least: 5, most: 40 },
  bulk: { forMs: 30_000, least: 4, most: 7 },
  loadMs: 3_000,
  loadRounds: 5,
}
const QUICK: Patience = {
  question: { forMs: 400, least: 5, most: 15 },
  bulk: { forMs: 2_000, least: 3, most: 5 },
  loadMs: 700,
  loadRounds: 3,
}

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    database: { type: 'string' },
    size: { type: 'string' },
    only: { type: 'string' },
  },
})

const tell = (line: string): void => void process.stderr.write(`${line}\n`)
const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0)

function tellQuery({ name, found, gloss, byHand, bare, ratio, ratioToBare }: QueryResult): void {
  tell(
    `  ${name.padEnd(42)} ${found.toLocaleString('en').padStart(9)} found  ${ms(gloss.median).padStart(7)} ms, by hand ${ms(byHand.median).padStart(7)}, bare ${ms(bare.median).padStart(7)}  ratio ${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)}), to bare ${ratioToBare.median.toFixed(2)}`,
  )
}

const kind = (options.database ?? 'sqlite') as DatabaseKind
const size = Number(options.size ?? (options.quick ? FULL_SIZE / 100 : FULL_SIZE))
const stores = kind === 'sqlite' ? await sqliteStores() : await mysqlStores()
try {
  const sides = await openSides(stores, size)
  try {
    await measureQueries(sides, options.quick ? QUICK : PATIENT, tellQuery)
  } finally {
    await sides.close()
  }
} finally {
  await stores.close()
}
