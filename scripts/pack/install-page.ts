/** Runs the commands of docs/install.md for the package, in a folder instead of in the system. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeAt } from './node-at.ts'
import { ROOT } from './root.ts'
import { insist, run } from './sandbox.ts'

/** The folders of the system that the commands change. */
const PLACES = ['/opt/gloss', '/usr/local/bin', '/etc/gloss', '/etc/systemd/system']

/** The commands of the steps that install the package, write the secrets and write the units. */
function commandsOf(page: string): string[] {
  const [, section = ''] = /## The package under systemd\n([^]*?)\n## /.exec(page) ?? []
  const blocks = Array.from(section.matchAll(/```sh\n([^]*?)```/g), ([, block = '']) => block)
  const wanted = ['npm install --prefix /opt/gloss', '/etc/gloss/database-url', 'gloss init --systemd']
  return wanted.map((text) => blocks.find((block) => block.includes(text)) ?? `exit 1 # no step has ${text}`)
}

/** Runs them in an empty folder on this package. Throws if one fails, or if the unit lacks what the page says. */
export async function tryInstallPage(folder: string, file: string): Promise<void> {
  const commands = commandsOf(readFileSync(join(ROOT, 'docs', 'install.md'), 'utf8')).join('\n')
  for (const place of ['/opt/gloss', '/usr/local/bin', '/etc/systemd/system']) {
    mkdirSync(join(folder, place), { recursive: true })
  }
  const here = PLACES.reduce((text, place) => text.replaceAll(place, join(folder, place)), commands).replace(
    'gloss init',
    `NODE_OPTIONS="${nodeAt('/usr/bin/node')}" gloss init`,
  )
  const PATH = [join(folder, '/usr/local/bin'), process.env['PATH']].join(':')
  await run('sh', ['-ec', here.replaceAll('./gloss-*.tgz', file)], folder, { PATH })
  const unit = readFileSync(join(folder, '/etc/systemd/system/gloss.service'), 'utf8')
  insist(unit.includes('\nEnvironment=BASE_URL=https://gloss.example.org\n'), `the unit is ${unit}`)
  insist(unit.includes('ExecStart=/usr/bin/node /opt/gloss/'), `the unit is ${unit}`)
}
