/** Loads a real data set into a running server over HTTP, then runs five queries (`npm run demo`). */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Presets, SingleBar } from 'cli-progress'
import { cities, elementOf, OWNER } from './cities.ts'
import { Client, ServerError } from './client.ts'
import { questions, type Question } from './questions.ts'
import { table } from './table.ts'

/** GET /values: object id → tag path → value. */
interface Values {
  results: { id: Record<string, Record<string, { value: string | number }>> }
}

const SHOWN = 8
const { url, batch } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    batch: { type: 'string', default: '1000' },
  },
}).values

try {
  if (!/^[1-9]\d*$/.test(batch)) throw new Error(`--batch must be a number of cities, not '${batch}'.`)
  const client = await signUp()
  await load(client, Number(batch))
  for (const question of questions) await ask(client, question)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/** Creates the demo's user, or gives the user of an earlier run a new password. */
async function signUp(): Promise<Client> {
  const adminPassword = process.env.ADMIN_PASSWORD
  if (!adminPassword) {
    throw new Error(
      'Set ADMIN_PASSWORD to the password of the superuser service: the demo creates its own user.',
    )
  }
  const admin = new Client(url, 'service', adminPassword)
  const password = randomBytes(15).toString('base64url')
  try {
    await admin.request('POST', '/users', { username: OWNER, password })
  } catch (error) {
    if (!(error instanceof ServerError)) throw error
    // Only the 401 for wrong credentials has no error class.
    if (error.status === 401 && error.errorClass === null) {
      throw new Error('ADMIN_PASSWORD is not the password of the superuser service.', { cause: error })
    }
    if (error.errorClass !== 'TUserAlreadyExists') throw error
    await admin.request('PUT', `/users/${OWNER}`, { password })
  }
  return new Client(url, OWNER, password)
}

async function load(client: Client, size: number): Promise<void> {
  const bar = new SingleBar(
    {
      format: 'Loading  {bar}  {value} of {total} cities, {eta_formatted} to go',
      noTTYOutput: true,
      notTTYSchedule: 5000,
    },
    Presets.shades_classic,
  )
  const start = performance.now()
  bar.start(cities.length, 0)
  try {
    for (let first = 0; first < cities.length; first += size) {
      const queries = cities.slice(first, first + size).map(elementOf)
      await client.request('PUT', '/values', { queries })
      bar.increment(queries.length)
    }
  } finally {
    bar.stop()
  }
  const seconds = (performance.now() - start) / 1000
  const rate = Math.round(cities.length / seconds).toLocaleString('en')
  console.log(
    `${cities.length.toLocaleString('en')} cities in ${seconds.toFixed(1)} s: ${rate} cities per second`,
  )
}

async function ask(client: Client, { text, query }: Question): Promise<void> {
  const columns = ['name', 'country', 'population']
  const search = new URLSearchParams({ query })
  for (const name of columns) search.append('tag', `${OWNER}/${name}`)
  const start = performance.now()
  const { results } = (await client.request('GET', `/values?${search.toString()}`)) as Values
  const milliseconds = Math.round(performance.now() - start)
  const rows = Object.values(results.id).map((values) =>
    columns.map((name) => values[`${OWNER}/${name}`]?.value ?? ''),
  )
  rows.sort((one, other) => Number(other[2]) - Number(one[2]) || (String(one[0]) < String(other[0]) ? -1 : 1))
  const more = rows.length > SHOWN ? `\n  ... and ${(rows.length - SHOWN).toLocaleString('en')} more` : ''
  console.log(`\n${text}\n  ${query}\n  ${rows.length.toLocaleString('en')} found in ${milliseconds} ms\n`)
  console.log(table(columns, rows.slice(0, SHOWN)) + more)
}
