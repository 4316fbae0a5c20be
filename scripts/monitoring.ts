/**
 * Replays outages against the real service, watched by a Prometheus with the rules and the scrape configuration of deploy/
 * (`npm run test:monitoring`, on Debian): which alerts fire, after how long, and that they go away. All panels of the board
 * must have data, and promtool must find no fault.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onFile } from './monitoring/on-file.ts'
import { onServer } from './monitoring/on-server.ts'
import { unpackPrometheus, WINDOW_S } from './monitoring/prometheus.ts'
import { installProxies } from './proxies.ts'
import { argumentsOf, oneOf, several } from './usage.ts'

const SCENES = { server: onServer, file: onFile }
const NAMES = ['server', 'file'] as const

const { on } = argumentsOf({
  name: 'npm run test:monitoring --',
  does: `Replays outages on two instances on a server behind HAProxy and on one on a SQLite file, and prints which alerts of deploy/
fired after how long (Debian, as root). Windows of the rules longer than ${String(WINDOW_S)} s are cut to that.`,
  options: { on: several(oneOf('WHAT', NAMES), 'the outages on which kind of store', NAMES) },
})

const missing = installProxies()
if (missing.length > 0) throw new Error(`not installed, and not to be had by apt here: ${missing.join(', ')}`)
const folder = mkdtempSync(join(tmpdir(), 'gloss-monitoring-'))
try {
  const programs = unpackPrometheus(folder)
  const faults: string[] = []
  for (const name of on) faults.push(...(await SCENES[name](programs, folder)))
  for (const fault of faults) console.error(`Not as it should be: ${fault}`)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true })
}
