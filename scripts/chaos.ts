/**
 * Chaos with a model (`npm run chaos`, `npm run chaos -- --minutes 30`): clients write and read everything at once through
 * two instances on one MariaDB, while instances and database are killed, frozen, cut off and restarted. No acknowledged write
 * may be lost, nothing be seen that was refused, nothing be half done or readable after it was closed, and at the end
 * `check-store` must find nothing.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Clients } from './chaos/clients.ts'
import { Tally } from './chaos/history.ts'
import { World, type Harms } from './chaos/world.ts'

const ROOT = dirname(import.meta.dirname)
/** The pause between two harms, on average, in milliseconds. */
const PAUSE_MS = 2000

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } })

/** Does harm, by chance, until the time is over; returns how often each was done. */
async function doHarm(harms: Harms, milliseconds: number): Promise<Map<string, number>> {
  const done = new Map<string, number>()
  const names = Object.keys(harms)
  const end = performance.now() + milliseconds
  // Each at least once, in a run that is long enough.
  for (let i = 0; performance.now() < end; i++) {
    await sleep(2 * PAUSE_MS * Math.random())
    const name = names[i < names.length ? i : Math.floor(Math.random() * names.length)] ?? ''
    await harms[name]?.()
    done.set(name, (done.get(name) ?? 0) + 1)
  }
  return done
}

function print(tally: Tally, harms: ReadonlyMap<string, number>): void {
  for (const [operation, { done, refused, unknown }] of tally.outcomes)
    console.log(
      `${operation.padEnd(20)} ${String(done)} done, ${String(refused)} refused, ${String(unknown)} unknown`,
    )
  for (const [name, times] of harms) console.log(`${name.padEnd(20)} ${String(times)} times`)
  console.log(`violations           ${String(tally.violations.length)}`)
  for (const line of tally.violations.slice(0, 50)) console.log(`  ${line}`)
}

spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.ts')], { stdio: 'inherit' })
const folder = mkdtempSync(join(tmpdir(), 'gloss-chaos-'))
const world = await World.start(folder)
const tally = new Tally()
const clients = new Clients(world.urls, tally)
const running = clients.run()
const harms = await doHarm(world.harms(), Number(values.minutes) * 60_000)
await world.ready()
clients.stop()
await running
await clients.checkAll()
const check = spawnSync(process.execPath, [join(ROOT, 'dist', 'src', 'check-store.js')], {
  env: { PATH: process.env['PATH'], DATABASE_URL: world.databaseUrl },
  encoding: 'utf8',
})
if (check.status !== 0) tally.violated(`check-store:\n${check.stdout}${check.stderr}`)
await world.stop()
rmSync(folder, { recursive: true, force: true })
print(tally, harms)
process.exitCode = tally.violations.length === 0 ? 0 : 1
