/** Measures the first steps of a new user, in fresh clones, on each given Node (`npm run first-hour`). */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { cities } from '../demo/cities.ts'
import { csvText } from '../common/csv-text.ts'
import { argumentsOf, several, text } from './usage.ts'

const root = dirname(import.meta.dirname)
const { node: folders } = argumentsOf({
  name: 'npm run first-hour --',
  does: 'Times what a new user does first, in fresh clones, on each Node that is given.',
  options: {
    node: several(text('FOLDER'), 'a folder that holds node and npm', [dirname(process.execPath)]),
  },
})

/** A step and its duration in milliseconds. */
type Step = readonly [name: string, ms: number]

/** A program that continues to run once it is ready. */
interface Running {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** A fresh clone, with a shell environment like that of a new user. */
class Clone {
  readonly #folder = mkdtempSync(join(tmpdir(), 'gloss-first-hour-'))
  readonly #env: NodeJS.ProcessEnv
  readonly steps: Step[] = []

  constructor(nodeFolder: string) {
    const { HOME, NODE_EXTRA_CA_CERTS, PATH = '' } = process.env
    const others = PATH.split(delimiter).filter((folder) => !folder.includes('node_modules'))
    this.#env = {
      HOME,
      // Node does not trust the certificates of the system, but the registry may have one of these.
      NODE_EXTRA_CA_CERTS,
      PATH: [nodeFolder, ...others].join(delimiter),
      PORT: '0',
      ADMIN_PASSWORD: 'choose-one',
    }
    this.run('git clone', `git clone --quiet ${root} .`)
  }

  /** Measures a command to its end. Throws if it fails. */
  run(name: string, command: string): string {
    const start = performance.now()
    const { status, stdout, stderr } = spawnSync('bash', ['-ec', command], {
      cwd: this.#folder,
      env: this.#env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${name} failed:\n${stdout}${stderr}`)
    this.steps.push([name, performance.now() - start])
    return stdout
  }

  /** Measures a command until it prints a URL. Throws if it ends before. */
  async start(name: string, command: string): Promise<Running> {
    const start = performance.now()
    // A terminal sends Ctrl-C to a whole process group, so the command gets its own.
    const child = spawn('bash', ['-c', command], { cwd: this.#folder, env: this.#env, detached: true })
    const end = once(child, 'close')
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const url = (): string | undefined => /http:\/\/[\w.]+:[1-9]\d*/.exec(printed)?.[0]
    while (url() === undefined && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), end])
    const found = url()
    if (found === undefined) throw new Error(`${name} failed:\n${printed}`)
    this.steps.push([name, performance.now() - start])
    const stop = async (): Promise<void> => {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await end
    }
    return { url: found, stop }
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#folder, file), text)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** The requests of docs/first-requests.md, for a service at `url`. */
function firstRequests(url: string): string {
  const page = readFileSync(join(root, 'docs/first-requests.md'), 'utf8')
  const commands = Array.from(page.matchAll(/^```sh\n(.*?)^```$/gms), ([, command = '']) => command)
  return commands.join('\n').replaceAll('http://127.0.0.1:8080', url)
}

/** The number of rows in the user's table. */
const ROWS = 10_000

/** Cities of the world, as a table of a user. */
const table = (): string =>
  csvText([
    ['id', 'name', 'country', 'population'],
    ...cities
      .slice(0, ROWS)
      .map(({ cityId, name, country, population }) => [cityId, name, country, population].map(String)),
  ])

/** Goes from a clone to the answer of a query about the user's own table. Throws if the answer is wrong. */
async function withOwnData(clone: Clone): Promise<void> {
  clone.run('npm install', 'node scripts/setup.mjs')
  clone.run('npm run build', 'npm run build')
  const service = await clone.start(
    'gloss init, until it serves',
    'GLOSS_PASSWORD=choose-one exec npx gloss init --yes',
  )
  const as = (user: string): string =>
    `GLOSS_URL=${service.url} GLOSS_USER=${user} GLOSS_PASSWORD=choose-one npx gloss`
  clone.run('gloss user add', `GLOSS_NEW_PASSWORD=choose-one ${as('service')} user add alice`)
  clone.write('cities.csv', table())
  const object = "--about 'geonames:{id}' --into alice/cities --yes"
  clone.run('gloss import of 10,000 rows', `${as('alice')} import cities.csv ${object}`)
  const answer = clone.run('gloss query', `${as('alice')} query 'alice/cities/population >= 0' --count`)
  if (answer !== `${ROWS}\n`) throw new Error(`the query found ${answer}`)
  await service.stop()
}

async function firstHour(nodeFolder: string): Promise<Step[]> {
  const clone = new Clone(nodeFolder)
  const fresh = new Clone(nodeFolder)
  const own = new Clone(nodeFolder)
  try {
    const service = await clone.start('npm start, until it serves', 'exec npm start')
    clone.run('the first requests', firstRequests(service.url))
    const start = performance.now()
    await service.stop()
    clone.steps.push(['Ctrl-C', performance.now() - start])
    const again = await clone.start('npm start again', 'exec npm start')
    await again.stop()
    clone.run('npm run migrate', 'npm run migrate')
    const mock = await fresh.start('npm run mock, first thing in a clone', 'exec npm run mock -- --port 0')
    await mock.stop()
    await withOwnData(own)
    return [...clone.steps, ...fresh.steps.slice(1), ...own.steps]
  } finally {
    for (const one of [clone, fresh, own]) one.remove()
  }
}

for (const folder of folders) {
  const { stdout } = spawnSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' })
  console.log(`\nNode ${stdout.trim()}`)
  for (const [name, ms] of await firstHour(folder)) {
    console.log(`${name.padEnd(40)}${(ms / 1000).toFixed(1).padStart(8)} s`)
  }
}
