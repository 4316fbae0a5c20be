/**
 * The scenario that every generated client runs, in whatever language: what it does, and the result that the client
 * and the server must see.
 *
 * A client's program reads its settings from the environment: `GLOSS_URL`, `GLOSS_ADMIN_PASSWORD` (of the superuser
 * `service`) and `GLOSS_USER` (`USER` below, the user that it creates, with the password `wonderland`). For each step in
 * turn it prints one line: the name of the step, a tab, and the result. The bytes are 0 to 255, once each.
 */

/** The values that every program writes and reads. */
export const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
export const TEXT = 'Grüße, 世界 🌍 "\\"'
export const LIST = ['ä', 'b', '', 'ä']
export const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
export const BYTES = Uint8Array.from({ length: 256 }, (_, i) => i)

/** The value that the server must have stored as `USER/Bücher/<name of the step>`, and its object's about value, if any. */
export interface Stored {
  readonly about?: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

interface Step {
  readonly name: string
  /** What the program does and prints, in words. */
  readonly does: string
  readonly prints: (user: string) => string
  readonly stored?: Stored
}

const primitive = (json: string, about?: string): Stored => ({
  ...(about === undefined ? {} : { about }),
  contentType: 'application/vnd.service.value+json',
  bytes: Buffer.from(json),
})

export const STEPS: readonly Step[] = [
  {
    name: 'user',
    does: 'As `service`: create the user `USER`. Print the display name of that user.',
    prints: (user) => user,
  },
  {
    name: 'namespace',
    does: 'As `USER`, like all that follows: create the namespace `Bücher` in `USER` with the description `gelesen & geplant`. Print the description.',
    prints: () => 'gelesen & geplant',
  },
  {
    name: 'tag',
    does: 'Create the indexed tag `größe` in `USER/Bücher` with the description `Höhe in cm`. Print `indexed` and the description.',
    prints: () => 'true Höhe in cm',
  },
  {
    name: 'int',
    does: 'Create an object. Put 9007199254740993, which no double can represent, on it as `USER/Bücher/int`. Print the value read back.',
    prints: () => '9007199254740993',
    stored: primitive('9007199254740993'),
  },
  {
    name: 'float',
    does: 'Put the float 5.0 on the object as `USER/Bücher/float`. Print the type read back.',
    prints: () => 'float',
    stored: primitive('5.0'),
  },
  {
    name: 'string',
    does: 'Put a non-ASCII text as `USER/Bücher/string` on the object whose about value is a URL with slashes, spaces, `+`, `%`, `#` and non-ASCII letters. Print the value read back.',
    prints: () => TEXT,
    stored: primitive(JSON.stringify(TEXT), ABOUT),
  },
  {
    name: 'list',
    does: 'Put four strings, one of them empty, on it as `USER/Bücher/list`. Print the strings read back, joined by `|`.',
    prints: () => LIST.join('|'),
    stored: primitive(JSON.stringify(LIST), ABOUT),
  },
  {
    name: 'null',
    does: 'Put null on it as `USER/Bücher/null`. Print the type read back.',
    prints: () => 'null',
    stored: primitive('null', ABOUT),
  },
  {
    name: 'opaque',
    does: 'Put all 256 bytes on it as `USER/Bücher/opaque`, with a content type in mixed case. Print the content type and the bytes read back, in hexadecimal.',
    prints: () => `${CONTENT_TYPE} ${Buffer.from(BYTES).toString('hex')}`,
    stored: { about: ABOUT, contentType: CONTENT_TYPE, bytes: BYTES },
  },
  {
    name: 'head',
    does: 'Request only the headers of that value. Print its length and content type.',
    prints: () => `256 ${CONTENT_TYPE}`,
  },
  {
    name: 'query',
    does: 'Find objects with `USER/Bücher/int = 9007199254740993`. Print how many there are and whether the first is the right one.',
    prints: () => '1 true',
  },
  {
    name: 'bulk',
    does: 'Read `USER/Bücher/string` and `USER/Bücher/opaque` of all objects that have the former. Print the text, and the type and size of the opaque value.',
    prints: () => `${TEXT} ${CONTENT_TYPE} 256`,
  },
  {
    name: 'error',
    does: 'Get the tag `USER/Bücher/fehlt`, which does not exist. Print the status, `X-Service-Error-Class` and `X-Service-Path`.',
    prints: (user) => `404 TNonexistentTag ${user}/B%C3%BCcher/fehlt`,
  },
  {
    name: 'permission',
    does: 'Close the values of `USER/Bücher/string` to all readers but `USER`. Print the permission read back.',
    prints: (user) => `closed ${user}`,
  },
]

/** What went wrong, one line each; none means that the client passed. `printed` is the program's whole output. */
export async function faults(
  url: string,
  password: string,
  user: string,
  printed: string,
): Promise<string[]> {
  const lines = printed.split('\n').filter((line) => line.includes('\t'))
  const found: string[] = []
  for (const [i, { name, prints, stored }] of STEPS.entries()) {
    const expected = `${name}\t${prints(user)}`
    if (lines[i] !== expected) found.push(`expected ${expected}, printed ${lines[i] ?? 'nothing'}`)
    if (stored === undefined) continue
    const there = await readStored(url, password, `${user}/Bücher/${name}`, stored.about)
    const same = there.contentType === stored.contentType && Buffer.compare(there.bytes, stored.bytes) === 0
    if (!same) found.push(`${name}: ${there.contentType} ${Buffer.from(there.bytes).toString()} is stored`)
  }
  return found
}

/** The only value of a tag, or the one on the object with the about value, as the superuser reads it. */
async function readStored(url: string, password: string, tag: string, about?: string): Promise<Stored> {
  const headers = { authorization: `Basic ${btoa(`service:${password}`)}` }
  const query = about === undefined ? `has ${tag}` : `has ${tag} and service/about = "${about}"`
  const found = await fetch(`${url}/objects?query=${encodeURIComponent(query)}`, { headers })
  const { ids: [id] = [] } = found.ok ? ((await found.json()) as { ids: string[] }) : {}
  if (id === undefined) return { contentType: 'nothing', bytes: new Uint8Array() }
  const answer = await fetch(`${url}/objects/${id}/${encodeURIComponent(tag)}`, { headers })
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { contentType: answer.headers.get('content-type') ?? '', bytes }
}
