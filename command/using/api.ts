/** `gloss api`: sends one request of the API, signed in, and prints the body of its answer. */
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { visible } from '../../common/values.ts'
import { misuse } from '../../common/failure.ts'
import { connect, type Connection, type ConnectionOptions } from '../connection/connect.ts'
import { writeTo } from '../terminal/output.ts'
import { isTerminal, tell } from '../terminal/terminal.ts'
import { visibleLines } from './one-value.ts'

interface Options extends ConnectionOptions {
  readonly body?: string
  readonly header?: readonly string[]
  readonly output?: string
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'HEAD'] as const

type Method = (typeof METHODS)[number]

export async function run([word = '', path = '']: readonly string[], options: Options): Promise<undefined> {
  const method = METHODS.find((one) => one === word.toUpperCase())
  if (method === undefined) throw misuse(`there is no method '${word}'`, `there are ${METHODS.join(', ')}`)
  // A path with a slash at its beginning cannot lead to another host, which would get the password.
  if (!path.startsWith('/'))
    throw misuse(
      `'${path}' is no path`,
      'begin it with a slash, such as /users/alice; --url names the service',
    )
  const headers = headersOf(options.header ?? [])
  const body = options.body === undefined ? undefined : await read(options.body)
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json')
  const response = await send(await connect(options), { method, path }, { headers, body })
  const notice = response.headers.get('x-service-message')
  if (notice !== null) tell(visible(decodeURIComponent(notice)))
  await write(method, response, options)
  return undefined
}

/** Reads lines such as `If-Match: "1"`. Throws a `Failure` for another one. */
function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers()
  for (const line of lines) {
    const [name = '', ...rest] = line.split(':')
    const value = rest.join(':').trim()
    if (rest.length === 0 || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw misuse(`'${line}' is no header`, "write it as 'NAME: VALUE'")
    headers.append(name, value)
  }
  return headers
}

/** Reads a file; `-` stands for standard input. Throws a `Failure` if it cannot read the file. */
async function read(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(file === '-' ? await buffer(process.stdin) : await readFile(file))
  } catch (error) {
    throw misuse(`'${file}' cannot be read`, (error as Error).message)
  }
}

interface Sent {
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer> | undefined
}

/** A method of the client without the types of the contract. */
type Send = (path: string, sent: object) => Promise<{ readonly response: Response; readonly data?: unknown }>

/** Sends the request. Throws a `ServiceError` for an error answer. */
async function send(
  { client }: Connection,
  { method, path }: { readonly method: Method; readonly path: string },
  { headers, body }: Sent,
): Promise<Response> {
  const bodySerializer = (bytes: unknown): unknown => bytes
  const untyped = client[method] as unknown as Send
  const { response, data } = await untyped(path, { headers, body, bodySerializer, parseAs: 'stream' })
  return new Response((data as ReadableStream | undefined) ?? null, {
    headers: response.headers,
  })
}

/** Writes the body; of an answer to HEAD, the headers. */
async function write(method: Method, response: Response, { output }: Options): Promise<void> {
  if (method === 'HEAD') {
    const lines = [...response.headers].map(([name, value]) => `${name}: ${visible(value)}\n`)
    return writeTo(output, once(lines.join('')))
  }
  if (output !== undefined || !isTerminal()) return writeTo(output, response.body ?? once(''))
  const content = Buffer.from(await response.arrayBuffer())
  const mediaType = response.headers.get('content-type') ?? ''
  return writeTo(undefined, once(content.length === 0 ? '' : `${visibleLines(content, mediaType)}\n`))
}

async function* once(text: string): AsyncGenerator<string> {
  yield text
}
