/** A request of the console as a command of curl. */

/** What curl sends by itself, or is told otherwise. */
const UNTOLD = ['authorization', 'accept', 'content-length']

/** A longer body is not shown. */
const LONGEST_BODY = 4000

/** The command that sends this request; it asks for the password of the user. */
export async function curlOf(request: Request, user: string | undefined): Promise<string> {
  const headers = [...request.headers].filter(([name]) => !UNTOLD.includes(name))
  const body = await request.clone().text()
  const data = body.length > LONGEST_BODY ? '@BODY' : body
  return [
    'curl',
    ...(user === undefined ? [] : ['-u', word(user)]),
    ...(request.method === 'GET' ? [] : ['-X', request.method]),
    ...headers.flatMap(([name, value]) => ['-H', word(`${name}: ${value}`)]),
    ...(body === '' ? [] : ['--data-binary', word(data)]),
    word(request.url),
  ].join(' ')
}

/** A text as one word of a shell (POSIX, section 2.2.2). */
export const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
