/** Formats requests as curl commands, for `--verbose` and for the console. */

/** Headers that curl adds itself, or that the command sets in another way. */
const UNTOLD = new Set(['authorization', 'accept', 'content-length'])

/** The curl command for this request. curl asks for the password. */
export async function asCurl(request: Request, user: string | undefined): Promise<string> {
  const headers = [...request.headers].filter(([name]) => !UNTOLD.has(name))
  const body = bodyOf(new Uint8Array(await request.clone().arrayBuffer()))
  return [
    'curl',
    ...(user === undefined ? [] : ['-u', quoted(user)]),
    ...(request.method === 'GET' ? [] : ['-X', request.method]),
    ...headers.flatMap(([name, value]) => ['-H', quoted(`${name}: ${value}`)]),
    ...body,
    quoted(request.url),
  ].join(' ')
}

/** The most characters of a body in the command. The command omits longer bodies and bodies that are not text. */
const LONGEST_BODY = 4000

function bodyOf(bytes: Uint8Array): string[] {
  if (bytes.length === 0) return []
  if (bytes.length > LONGEST_BODY) return ['--data-binary', '@BODY']
  try {
    return ['--data-raw', quoted(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))]
  } catch {
    return ['--data-binary', '@BODY']
  }
}

/** Quotes a text as one word of a shell (POSIX, section 2.2.2). */
export const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
