/**
 * Restarts two instances in turn behind HAProxy and behind nginx, with the delivered configurations and under a steady
 * load. Counts failed requests and lost acknowledged writes (`npm run rolling`).
 */
import { startMysqlServer } from '../test/support/mysql-server.ts'
import { ROOT } from './digest.ts'
import { installProxies, PROXIES } from './proxies.ts'
import { build, checkOut, nextVersion } from './rolling/builds.ts'
import { underLoad } from './rolling/instances.ts'
import type { Tally } from './rolling/load.ts'
import { upgradeAndBack } from './rolling/upgrade.ts'
import { argumentsOf, flag, oneOf, option, optional, several, text, wholeNumber } from './usage.ts'

const { restarts, behind, from, upgrade } = argumentsOf({
  name: 'npm run rolling --',
  does: `Restarts two instances in turn behind a proxy under a steady load, and counts the requests that fail and the acknowledged
writes that are lost (Debian, as root).`,
  options: {
    restarts: option(wholeNumber(1), 'how many restarts behind each proxy', 10),
    behind: several(oneOf('PROXY', PROXIES), 'which proxy', PROXIES),
    from: optional(
      text('COMMIT'),
      'starts instances of that commit; restarted, each is of this checkout',
      'this checkout',
    ),
    upgrade: flag(
      'upgrades to a made-up next version, goes back and upgrades again, with a backup at each step, in place of --restarts',
    ),
  },
})

/** Restarts instances in turn behind a proxy; returns whether no request failed and no write was lost. */
async function roll(proxy: string, first: string, server: string): Promise<boolean> {
  const stops: number[] = []
  const tally = await underLoad({ proxy, build: first, server }, async ({ one, two }) => {
    for (let i = 0; i < restarts; i++) {
      stops.push(await (i % 2 === 0 ? one : two).restart(ROOT))
      if (process.stdout.isTTY) process.stdout.write(`\r${proxy}: ${String(i + 1)} of ${String(restarts)}`)
    }
  })
  console.log(`\n${proxy}, ${String(stops.length)} restarts in ${seconds(tally.milliseconds)} s`)
  console.log(`  stopping took   ${seconds(Math.min(...stops))} to ${seconds(Math.max(...stops))} s`)
  return print(tally)
}

/** Upgrades instances behind a proxy and goes back; returns as `roll`. */
async function rehearse(proxy: string, older: string, newer: string, server: string): Promise<boolean> {
  console.log(`\n${proxy}`)
  const tally = await underLoad({ proxy, build: older, server }, (pair) =>
    upgradeAndBack(pair, { older, newer }),
  )
  console.log(`  under load      ${seconds(tally.milliseconds)} s`)
  return print(tally)
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)

/** Prints what the load has seen; returns whether no request failed and no write was lost. */
function print({ requests, longestMs, failures, lost, acknowledged }: Tally): boolean {
  for (const [kind, count] of Object.entries(requests)) console.log(`  ${kind.padEnd(15)} ${String(count)}`)
  console.log(`  longest answer  ${seconds(longestMs)} s`)
  console.log(`  failed          ${String(failures.length)}`)
  console.log(`  lost writes     ${String(lost.length)} of ${String(acknowledged)} acknowledged`)
  for (const line of [...failures, ...lost].slice(0, 50)) console.log(`    ${line}`)
  return failures.length === 0 && lost.length === 0
}

const missing = installProxies().filter((proxy) => behind.includes(proxy))
if (missing.length > 0) throw new Error(`not installed, and not to be had by apt here: ${missing.join(', ')}`)
build(ROOT)
const first = from === undefined ? ROOT : checkOut(from)
const newer = upgrade ? nextVersion() : ROOT
const server = await startMysqlServer()
try {
  let well = true
  for (const proxy of behind) {
    const done = upgrade
      ? await rehearse(proxy, first, newer, server.url)
      : await roll(proxy, first, server.url)
    well = done && well
  }
  process.exitCode = well ? 0 : 1
} finally {
  await server.stop()
}
