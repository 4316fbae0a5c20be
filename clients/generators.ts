/**
 * How much generators make of the contract, and what validators of answers, most of them generated, do to values: two
 * tables in docs/clients.md.
 */
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdown } from './markdown.ts'
import { run } from './running.ts'

const FILES = join(import.meta.dirname, 'generators')
const NPM = 'cp "$CELL"/* . && npm ci --ignore-scripts --no-audit --no-fund'
const VENV =
  'test -d venv || python3 -m venv venv; venv/bin/pip install --quiet --requirement requirements.txt'

/** The documents that code is generated from. */
const VIEWS = ['/openapi.json', '/openapi.json?view=api'] as const

const VALUES = JSON.parse(readFileSync(join(FILES, 'values.json'), 'utf8')) as {
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
}

interface Generator {
  /** Its version and what it generates. */
  readonly generator: string
  readonly command: string
  /** The file or folder that it makes; none if it prints the numbers itself. */
  readonly makes?: string
}

const orval = (project: string): Pick<Generator, 'command' | 'makes'> => ({
  command: `node_modules/.bin/orval --config orval.config.mjs --project ${project}`,
  makes: `orval-${project}`,
})

const GENERATORS: readonly Generator[] = [
  {
    generator: 'kubb 4.39.3: types, client, zod, faker, MSW',
    command: 'node_modules/.bin/kubb generate',
    makes: 'kubb',
  },
  {
    generator: 'Hey API 0.99.0: types, client, schemas, transformers, TanStack, valibot, zod',
    command: 'node_modules/.bin/openapi-ts -f openapi-ts.config.mjs',
    makes: 'hey-api',
  },
  { generator: 'orval 8.10.0: fetch and MSW', ...orval('fetch') },
  { generator: 'orval 8.10.0: zod', ...orval('zod') },
  { generator: 'orval 8.10.0: MCP', ...orval('mcp') },
  {
    generator: 'typed-openapi 2.2.7: zod',
    command: 'node_modules/.bin/typed-openapi "$DOCUMENT" -r zod -o typed-openapi.ts',
    makes: 'typed-openapi.ts',
  },
  {
    generator: 'openapi-to-postmanv2 6.3.3',
    command: 'node_modules/.bin/openapi2postmanv2 -s "$DOCUMENT" -o postman.json',
    makes: 'postman.json',
  },
  { generator: 'FastMCP 4.2.3', command: 'venv/bin/python tools.py' },
]

/** The programs that print a line of JSON, a `Verdict`, for each validator. */
const VALIDATORS = [
  'node --experimental-transform-types --no-warnings validate.mjs',
  'venv/bin/python validate.py',
]

/** What a validator did to the values of `generators/values.json`. */
interface Verdict {
  readonly validator: string
  /** How many values came out as they were. */
  readonly unchanged: number
  /** What became of the others. */
  readonly changes: readonly string[]
  /** How many values that are none it refused. */
  readonly refused: number
}

/** Both tables, as Markdown, made in the folder `work` from the documents of the service. */
export async function tryGenerators(
  url: string,
  work: string,
): Promise<{ sizes: string; validators: string }> {
  const cwd = join(work, 'generators')
  const environment = { CELL: FILES, DOCUMENT: join(cwd, 'openapi.json') }
  const must = async (command: string): Promise<string> => {
    const { status, output, errors } = await run(command, cwd, environment)
    if (status !== 0) throw new Error(`${command} failed:\n${output}${errors}`)
    return output
  }
  mkdirSync(cwd, { recursive: true })
  for (const command of [NPM, VENV]) await must(command)
  const columns: string[][] = []
  for (const view of VIEWS) {
    writeFileSync(environment.DOCUMENT, await (await fetch(url + view)).text())
    const column: string[] = []
    for (const { command, makes } of GENERATORS) {
      if (makes !== undefined) rmSync(join(cwd, makes), { recursive: true, force: true })
      const output = await must(command)
      column.push(makes === undefined ? toolsSize(output) : codeSize(join(cwd, makes)))
    }
    columns.push(column)
  }
  const sizes = GENERATORS.map(({ generator }, i) => [generator, ...columns.map((column) => column[i] ?? '')])
  const verdicts: string[][] = []
  for (const command of VALIDATORS) {
    for (const line of (await must(command)).trim().split('\n'))
      verdicts.push(row(JSON.parse(line) as Verdict))
  }
  return {
    sizes: markdown(['Generator', ...VIEWS.map((view) => `\`${view}\``)], sizes),
    validators: markdown(['Validator', 'values unchanged', 'others refused', 'changes'], verdicts),
  }
}

const number = (n: number): string => n.toLocaleString('en')

/** The files, lines and size of a file or a folder. */
function codeSize(made: string): string {
  const files = statSync(made).isFile()
    ? [made]
    : globSync(`${made}/**/*`).filter((path) => statSync(path).isFile())
  const texts = files.map((file) => readFileSync(file))
  const bytes = texts.reduce((sum, { length }) => sum + length, 0)
  const lines = texts.reduce((sum, text) => sum + text.toString().trimEnd().split('\n').length, 0)
  const shown = [`${number(Math.round(bytes / 1000))} kB`]
  if (lines > 1) shown.unshift(`${number(lines)} lines`)
  if (files.length > 1) shown.unshift(`${number(files.length)} files`)
  return shown.join(', ')
}

function toolsSize(printed: string): string {
  const { tools, bytes } = JSON.parse(printed) as { tools: number; bytes: number }
  return `${number(tools)} tools, ${number(Math.round(bytes / 1000))} kB`
}

function row({ validator, unchanged, refused, changes }: Verdict): string[] {
  // If none is right, one says it for all.
  const shown = unchanged === 0 ? changes.slice(0, 1) : changes
  return [
    validator,
    `${unchanged} of ${VALUES.right.length}`,
    `${refused} of ${VALUES.wrong.length}`,
    shown.map((change) => `\`${change}\``).join(', '),
  ]
}
