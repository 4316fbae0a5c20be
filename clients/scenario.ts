/**
 * The scenario that every generated client goes through, in whatever language: what it does, and what has to come
 * of it, seen by the client and at the server.
 *
 * A client's program reads from its environment `GLOSS_URL`, `GLOSS_ADMIN_PASSWORD` (of the superuser `service`) and
 * `GLOSS_USER` (the name of the user that it makes for itself, with the password `wonderland`; below: `USER`). For
 * each step in turn it prints one line: the step's name, a tab, and what it saw. The bytes are 0 to 255, once each.
 */

/** What every program writes and reads. */
export const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
export const TEXT = 'Grüße, 世界 🌍 "\\"'
export const LIST = ['ä', 'b', '', 'ä']
export const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
export const BYTES = Uint8Array.from({ length: 256 }, (_, i) => i)

/** What the server has to hold under `USER/Bücher/<name of the step>`, and on what, where that has an about value. */
export interface Stored {
  readonly about?: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

interface Step {
  readonly name: string
  /** For people: what the program does, and what it prints. */
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
    does: 'As `service`: make the user `USER`. Print the name that the user then goes by.',
    prints: (user) => user,
  },
  {
    name: 'namespace',
    does: 'As `USER`, like all that follows: make the namespace `Bücher` in `USER`, described as `gelesen & geplant`. Print its description.',
    prints: () => 'gelesen & geplant',
  },
  {
    name: 'tag',
    does: 'Make the tag `größe` in `USER/Bücher`, described as `Höhe in cm` and indexed. Print `indexed` and the description.',
    prints: () => 'true Höhe in cm',
  },
  {
    name: 'int',
    does: 'Make an object. Put 9007199254740993, which no double can hold, on it under `USER/Bücher/int`. Print what is read back.',
    prints: () => '9007199254740993',
    stored: primitive('9007199254740993'),
  },
  {
    name: 'float',
    does: 'Put the float 5.0 on the object under `USER/Bücher/float`. Print its type as read back.',
    prints: () => 'float',
    stored: primitive('5.0'),
  },
  {
    name: 'string',
    does: 'Put a text beyond ASCII, under `USER/Bücher/string`, on what is about a URL with slashes, blanks, `+`, `%`, `#` and letters beyond ASCII. Print what is read back.',
    prints: () => TEXT,
    stored: primitive(JSON.stringify(TEXT), ABOUT),
  },
  {
    name: 'list',
    does: 'Put four strings, one of them empty, there under `USER/Bücher/list`. Print what is read back, joined by `|`.',
    prints: () => LIST.join('|'),
    stored: primitive(JSON.stringify(LIST), ABOUT),
  },
  {
    name: 'null',
    does: 'Put null there under `USER/Bücher/null`. Print the type as read back.',
    prints: () => 'null',
    stored: primitive('null', ABOUT),
  },
  {
    name: 'opaque',
    does: 'Put all 256 bytes there under `USER/Bücher/opaque`, with a content type in odd letters. Print the content type and the bytes in hexadecimal as read back.',
    prints: () => `${CONTENT_TYPE} ${Buffer.from(BYTES).toString('hex')}`,
    stored: { about: ABOUT, contentType: CONTENT_TYPE, bytes: BYTES },
  },
  {
    name: 'head',
    does: 'Ask for the headers alone of that value. Print its length and content type.',
    prints: () => `256 ${CONTENT_TYPE}`,
  },
  {
    name: 'query',
    does: 'Find objects by `USER/Bücher/int = 9007199254740993`. Print how many there are, and whether the first is the one.',
    prints: () => '1 true',
  },
  {
    name: 'bulk',
    does: 'Read `USER/Bücher/string` and `USER/Bücher/opaque` of all objects that have the former. Print the text, and type and size of the opaque value.',
    prints: () => `${TEXT} ${CONTENT_TYPE} 256`,
  },
  {
    name: 'error',
    does: 'Get the tag `USER/Bücher/fehlt`, which is not there. Print the status and what `X-Service-Error-Class` and `X-Service-Path` say.',
    prints: (user) => `404 TNonexistentTag ${user}/B%C3%BCcher/fehlt`,
  },
  {
    name: 'permission',
    does: 'Close the reading of the values of `USER/Bücher/string` for all but `USER`. Print the permission as read back.',
    prints: (user) => `closed ${user}`,
  },
]

/** What went wrong, a line each: none is a pass. `printed` is all that the program printed. */
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

/** The one value of a tag, on the object with the about value if any, as the server sends it to the superuser. */
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
