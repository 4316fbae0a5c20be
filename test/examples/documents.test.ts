/**
 * The commands in documents work: each shell block is run, in order, in a copy of this checkout, and prints what the
 * block without a language after it shows.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { QUERY_LIMITS } from '../../src/query/lexer.ts'
import { parseQuery } from '../../src/query/parse.ts'
import { freshDatabase } from '../support/database.ts'
import { refused } from '../unit/refused.ts'
import { makeCheckout, type Checkout, type Running } from './checkout.ts'

const ROOT = new URL('../../', import.meta.url)
const HOST = 'http://127.0.0.1:8080'
const MYSQL_URL = 'mysql://gloss:secret@127.0.0.1:3306/gloss'
const { database } = globalThis as { database?: 'sqlite' | 'mysql' }

/** What test/command/rescue.test.ts runs, each with what it must do. */
const RESCUE = [
  'gloss user reset service',
  `printf '%s\\n' "$NEW_DATABASE_URL" > database-url`,
  'kill -HUP "$PID"',
  'mv gloss.log gloss.log.1',
  'gloss migrate --status',
  'gloss migrate',
  `grep -o '"username":"[^"]*"' gloss.log | sort | uniq -c | sort -rn | head -5`,
  'gloss user passwd mallory --as service',
  'gloss user reset mallory',
]

const CONTAINERS = 'needs a container engine or a cluster: scripts/recipes.ts checks the files'

/** The commands that are not run here, and what runs the same elsewhere. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'git clone <this repository> gloss':
    'the copy of the checkout, test/examples/checkout.ts, stands for the clone',
  'cd gloss': 'every command is run in the copy',
  'npm test': 'runs this very test',
  'npm run quick': 'scripts/checks.ts and scripts/test.ts do the same with more',
  'npm test -- test/data/races.test.ts': 'scripts/test.ts passes its arguments to jest',
  'npm test -- test/data/races.test.ts --selectProjects mysql':
    'scripts/test.ts passes its arguments to jest',
  'npm run test:databases -- test/data/races.test.ts': 'scripts/test.ts passes its arguments to jest',
  'npm run bench': 'measures for hours what no test asserts',
  'npm run bench -- --quick': 'measures for minutes what no test asserts',
  'git worktree add ../before COMMIT': 'names no commit',
  '(cd ../before && npm ci)': 'installs for minutes what a commit needed that is not named',
  'npm run compare -- --beside ../before --database mysql': 'measures for minutes what no test asserts',
  'npm run backup -- --to gloss-backup.gz': 'test/data/drill.test.ts runs the same program',
  'DATABASE_URL=sqlite:./var/restored.db npm run restore -- --from gloss-backup.gz':
    'test/data/drill.test.ts runs the same program',
  'npm run drill': 'test/data/drill.test.ts does the same with less data',
  'npm run check-store': 'test/data/check-store.test.ts checks stores that were broken on purpose',
  'npx gloss compact': 'test/command/compact.test.ts compacts stores with free room',
  'npm install ./gloss-1.0.0-rc.2.tgz': 'scripts/try-packages.ts does it',
  'export PATH="$PWD/node_modules/.bin:$PATH"': 'each command of gloss is run by its path',
  'node_modules/.bin/gloss init': 'scripts/try-packages.ts has the installed command set up a service',
  'npm install ./gloss-client-1.0.0-rc.2.tgz': 'scripts/try-packages.ts does it',
  'pip install ./gloss_client-1.0.0rc2-py3-none-any.whl': 'scripts/try-packages.ts does it',
  'gloss doctor --url https://gloss.example.org':
    'scripts/proxies/chains.ts runs it through two and three proxies',
  'docker build -f deploy/Containerfile -t registry.example.org/gloss:1.0.0-rc.2 .': CONTAINERS,
  'docker build -f deploy/Containerfile -t gloss .': CONTAINERS,
  'docker run -p 8080:8080 -v gloss:/data -e NEW_STORE=make gloss': CONTAINERS,
  'docker push registry.example.org/gloss:1.0.0-rc.2': CONTAINERS,
  'BASE_URL=https://gloss.example.org TRUST_PROXY=10.244.0.0/16 gloss init --kubernetes':
    'test/command/recipes.test.ts writes the same file',
  'kubectl create namespace gloss': CONTAINERS,
  'kubectl --namespace gloss create secret generic gloss --from-file=database-url --from-file=admin-password':
    CONTAINERS,
  'kubectl --namespace gloss apply -f kubernetes.yaml': CONTAINERS,
  'kubectl --namespace gloss rollout status deployment/gloss': CONTAINERS,
  'npm run mock': 'test/consumer/bases.ts starts the same mock',
  'npm run mock -- --stateful': 'test/consumer/mock.test.ts starts the same mock',
  ...Object.fromEntries(RESCUE.map((command) => [command, 'test/command/rescue.test.ts runs the page'])),
  ...Object.fromEntries(
    [
      'curl -X POST http://127.0.0.1:4010/__reset',
      `curl -X PUT http://127.0.0.1:4010/__faults -d '{ "code": 503, "times": 1 }'`,
      'curl -X PUT http://127.0.0.1:4010/__snapshots/two-books',
      "curl -X POST 'http://127.0.0.1:4010/__reset?snapshot=two-books'",
    ].map((command) => [command, 'test/consumer/controls.test.ts sends it to a port that is free']),
  ),
}

interface Block {
  readonly file: string
  readonly commands: readonly string[]
  /** The output that the document shows. */
  readonly shown: string | undefined
}

function blocksOf(file: string): Block[] {
  const text = readFileSync(new URL(file, ROOT), 'utf8')
  const fences = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
  return fences.flatMap(([, language, content = ''], i) => {
    if (language !== 'sh') return []
    const next = fences[i + 1]
    return [{ file, commands: commandsOf(content), shown: next?.[1] === '' ? next[2] : undefined }]
  })
}

/** One command per line, with continuation lines joined and comments removed. */
const commandsOf = (script: string): string[] =>
  script
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '')

// The others ask about what the first two write.
const FIRST = ['README.md', 'docs/first-requests.md']
const files = [...FIRST, ...globSync(['*.md', '{docs,test}/**/*.md'], { cwd: ROOT }).sort()]
const blocks = [...new Set(files)].flatMap(blocksOf)
const isForMysql = (command: string): boolean => command.includes(MYSQL_URL)
/** Prints the status itself, also that of an error. */
const SHOWS_STATUS = "curl -sS -w '%{http_code} "
const starts = (command: string): boolean => /(^| )npm (start|run dev)$/.test(command)

/** Text without ids, times and durations, which differ each time. */
const lasting = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replaceAll(/\b\d+ ms\b/g, 'a while')
    .replaceAll(/ +$/gm, '')

let checkout: Checkout
beforeAll(async () => {
  checkout = await makeCheckout()
})
afterAll(() => checkout.remove())

/** Enough to load 135,233 cities on a slow machine. */
const PATIENCE_MS = 900_000

if (database === 'mysql') {
  test(
    'the service starts on a MySQL-protocol server as documented',
    async () => {
      const commands = blocks.flatMap((block) => block.commands).filter(isForMysql)
      expect(commands).not.toEqual([])
      for (const command of commands) {
        const fresh = await freshDatabase()
        const service = await checkout.start(command.replace(MYSQL_URL, fresh.url))
        await service.interrupt()
        await fresh.drop()
      }
    },
    PATIENCE_MS,
  )
} else {
  let service: Running | undefined
  const here = (command: string): string => command.replaceAll(HOST, service?.url ?? 'nowhere')

  async function execute(command: string): Promise<string> {
    if (command in ELSEWHERE || isForMysql(command)) return ''
    if (command.startsWith(SHOWS_STATUS)) return checkout.run(`${here(command)} --no-fail`)
    if (command.startsWith('curl ')) return checkout.run(here(command))
    if (command.startsWith('printf ')) return checkout.run(command)
    if (/^(\w+=\S+ )*(npx )?gloss /.test(command)) {
      // What is installed is shared with this checkout, and so is the command of the PATH.
      const own = command.replace(/(npx )?gloss/, 'node_modules/.bin/node dist/command/gloss.js')
      return checkout.run(`GLOSS_URL=${here(HOST)} ${own}`)
    }
    if (command.endsWith('npm run demo')) return checkout.run(`${command} -- --url ${here(HOST)}`)
    if (!starts(command))
      throw new Error(`this command is neither run here nor named in ELSEWHERE: ${command}`)
    const started = await checkout.start(command)
    if (service === undefined) service = started
    else await started.interrupt()
    return ''
  }

  describe('the commands of documents work', () => {
    test.each(blocks.map((block) => [block.file, block.commands[0], block] as const))(
      'in %s, from %s on',
      async (_file, _command, { commands, shown }) => {
        let output = ''
        for (const command of commands) output += await execute(command)
        if (shown !== undefined) expect(lasting(output)).toContain(lasting(shown))
      },
      PATIENCE_MS,
    )

    test('an interrupt stops the service', async () => {
      expect(await service?.interrupt()).toContain('Gloss listens on')
    })
  })

  test('the commands run elsewhere are in a document, and the files that run them exist', () => {
    const commands = blocks.flatMap((block) => block.commands)
    expect(Object.keys(ELSEWHERE).filter((command) => !commands.includes(command))).toEqual([])
    const named = Object.values(ELSEWHERE).flatMap((reason) => reason.match(/\w+\/[\w/-]+\.ts/g) ?? [])
    expect(named.filter((file) => !existsSync(new URL(file, ROOT)))).toEqual([])
  })

  test('the query language page shows the real message for its faulty query', () => {
    const text = readFileSync(new URL('docs/query-language.md', ROOT), 'utf8')
    const [, query = '', message] = /^```\n(.+)\n(line \d+, column .+)\n```$/m.exec(text) ?? []
    expect(refused(() => parseQuery(query, QUERY_LIMITS))).toEqual(['TParseError', 400, { query, message }])
  })
}
