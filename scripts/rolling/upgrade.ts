/** The rehearsal of an upgrade and of the way back, as docs/upgrading.md describes them, under load. */
import { join } from 'node:path'
import { gloss, scratch } from './builds.ts'
import type { Pair, Restartable } from './instances.ts'

/** The builds of two versions. */
interface Versions {
  readonly older: string
  readonly newer: string
}

/** How a backup ends that has everything, and one that lacks what a later version has added. */
const [DONE, PARTLY] = [0, 3]

/**
 * Upgrades two instances one by one, goes back, and upgrades them again. Backs up at each step with each version that runs,
 * and restores and checks each backup elsewhere. Prints each step; throws if one fails.
 */
export async function upgradeAndBack(pair: Pair, { older, newer }: Versions): Promise<void> {
  const { one, two, databaseUrl } = pair
  await keep(pair, 'before', { [older]: DONE })
  await expectStatus(4, newer, ['migrate', '--plan'], databaseUrl)
  await expectStatus(0, newer, ['migrate'], databaseUrl)
  await keep(pair, 'migrated', { [older]: PARTLY, [newer]: DONE })
  await one.restart(newer)
  await keep(pair, 'side by side', { [older]: PARTLY, [newer]: DONE })
  await two.restart(newer)
  await keep(pair, 'upgraded', { [newer]: DONE })
  await one.restart(older)
  await two.restart(older)
  await keep(pair, 'back', { [older]: PARTLY })
  await one.restart(newer)
  await two.restart(newer)
  await keep(pair, 'upgraded again', { [newer]: DONE })
}

/** Prints what runs; makes a backup with each build, which must end with its status, and restores and checks it on SQLite. */
async function keep(
  { one, two, databaseUrl }: Pair,
  step: string,
  builds: Readonly<Record<string, number>>,
): Promise<void> {
  const versions = [one, two].map((instance: Restartable) => instance.version())
  console.log(`  ${step.padEnd(15)} instances ${versions.join(' and ')}`)
  for (const [build, status] of Object.entries(builds)) {
    const folder = scratch()
    const [file, restored] = [join(folder, 'backup.gz'), `sqlite:${join(folder, 'restored.db')}`]
    const backup = await expectStatus(status, build, ['backup', '--to', file], databaseUrl)
    await expectStatus(0, build, ['restore', '--from', file], restored)
    const checked = await expectStatus(0, build, ['check'], restored)
    const version = (await expectStatus(0, build, ['--version'], databaseUrl)).stdout.trim()
    const values = /([\d,]+) values?\b/.exec(backup.stderr)?.[1] ?? '?'
    const lines = [checked.stdout.trim().split('\n').at(-1) ?? '', ...leftOutIn(backup.stderr)]
    console.log(`    backup by ${version}: ${values} values, restored elsewhere. ${lines.join(' ')}`)
  }
}

const leftOutIn = (printed: string): string[] =>
  Array.from(printed.matchAll(/^LEFT OUT.*$/gm), ([line]) => line)

/** Runs `gloss` of a build; throws what it printed if it ends with another status. */
async function expectStatus(expected: number, build: string, args: readonly string[], databaseUrl: string) {
  const ended = await gloss(build, args, databaseUrl)
  if (ended.status !== expected)
    throw new Error(`gloss ${args.join(' ')} ended with ${ended.status}: ${ended.stdout}${ended.stderr}`)
  if (args[0] === 'migrate')
    console.log(`  gloss ${args.join(' ')}\n${indented(ended.stdout + ended.stderr)}`)
  return ended
}

const indented = (text: string): string => text.trimEnd().replace(/^/gm, '    ')
