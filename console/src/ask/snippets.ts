/** Generates the search as a shell command or a program. Each asks the person who runs it for the password. */
import { quoted } from '../../../common/connection/curl.ts'

/** The search, the service and the user; undefined for anonymous requests. */
export interface Snippet {
  readonly base: string
  readonly user: string | undefined
  readonly query: string
  readonly columns: readonly string[]
  readonly sort: string | undefined
}

/** A kind of snippet. */
interface Kind {
  readonly says: string
  /** The source of the password. */
  readonly password: string
  readonly of: (snippet: Snippet) => string
}

/** The generators of snippets, by common names. */
export const SNIPPETS: Readonly<Record<string, Kind>> = {
  gloss: {
    says: 'All objects as CSV, by the command gloss.',
    password: 'It asks for the password.',
    of: gloss,
  },
  curl: {
    says: 'The first 1,000 objects as JSON, by curl.',
    password: 'It asks for the password.',
    of: curl,
  },
  Python: {
    says: 'All objects, by Python 3 and its own library.',
    password: 'It takes the password from GLOSS_PASSWORD.',
    of: python,
  },
  TypeScript: {
    says: 'All objects, by fetch in Node 24.',
    password: 'It takes the password from GLOSS_PASSWORD.',
    of: typescript,
  },
}

function gloss({ base, user, query, columns, sort }: Snippet): string {
  return [
    `gloss query ${quoted(query)}`,
    `--columns ${quoted(['id', 'about', ...columns].join(','))}`,
    ...(sort === undefined ? [] : [`--sort ${quoted(sort)}`]),
    '--csv',
    `--url ${quoted(base)}`,
    ...(user === undefined ? [] : [`--as ${quoted(user)}`]),
  ].join(' \\\n  ')
}

function curl({ base, user, ...search }: Snippet): string {
  return [
    `curl -G ${quoted(`${base}/search`)}`,
    ...(user === undefined ? [] : [`-u ${quoted(user)}`]),
    ...argumentsOf(search).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ].join(' \\\n  ')
}

/** The arguments of `GET /search`. */
function argumentsOf({ query, columns, sort }: Omit<Snippet, 'base' | 'user'>): [string, string][] {
  return [
    ['query', query],
    ...columns.map((tag): [string, string] => ['tag', tag]),
    ...(sort === undefined ? [] : [['sort', sort] satisfies [string, string]]),
    ['limit', '1000'],
  ]
}

/** JSON strings are also valid in Python and TypeScript. */
const literal = (text: string): string => JSON.stringify(text)

/** The lines of a program that sign in; none for anonymous requests. */
const lines = (signIn: readonly string[], user: string | undefined): string =>
  user === undefined ? '' : `${signIn.join('\n')}\n`

function python({ base, user, ...search }: Snippet): string {
  const pairs = argumentsOf(search).map(([name, value]) => `    (${literal(name)}, ${literal(value)}),`)
  const login = [
    `login = ${literal(`${user ?? ''}:`)} + os.environ["GLOSS_PASSWORD"]`,
    'headers["Authorization"] = "Basic " + b64encode(login.encode()).decode()',
  ]
  return `import json
${lines(['import os', 'from base64 import b64encode'], user)}from urllib.parse import urlencode
from urllib.request import Request, urlopen

search = [
${pairs.join('\n')}
]
headers = {}
${lines(login, user)}

def objects():
    cursor = []
    while True:
        url = ${literal(`${base}/search?`)} + urlencode(search + cursor)
        with urlopen(Request(url, headers=headers)) as answer:
            page = json.load(answer)
        yield from page["results"]
        if "next" not in page:
            return
        cursor = [("cursor", page["next"])]


for found in objects():
    print(json.dumps(found))
`
}

function typescript({ base, user, ...search }: Snippet): string {
  const pairs = argumentsOf(search).map(([name, value]) => `  [${literal(name)}, ${literal(value)}],`)
  const login = [
    `const login = new TextEncoder().encode(${literal(`${user ?? ''}:`)} + process.env.GLOSS_PASSWORD)`,
    "headers.set('Authorization', 'Basic ' + btoa(String.fromCharCode(...login)))",
  ]
  return `const search = new URLSearchParams([
${pairs.join('\n')}
])
const headers = new Headers()
${lines(login, user)}
/** Ints beyond 2^53 become bigints, so that they keep their digits. */
const exact = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value

async function* objects() {
  for (let next: string | undefined = ''; next !== undefined; ) {
    if (next !== '') search.set('cursor', next)
    const answer: Response = await fetch(${literal(`${base}/search?`)} + search, { headers })
    if (!answer.ok) throw new Error(answer.headers.get('X-Service-Message') ?? answer.statusText)
    const page = JSON.parse(await answer.text(), exact)
    yield* page.results
    next = page.next
  }
}

for await (const found of objects()) console.log(found)
`
}
