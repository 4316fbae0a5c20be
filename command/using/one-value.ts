/** Writes one value: the text of a string, the JSON of another primitive value, the octets of an opaque value. */
import { isUtf8 } from 'node:buffer'
import type { Connection } from '../connection/connect.ts'
import type { Address } from '../../common/connection/addresses.ts'
import { inUrl } from '../connection/objects.ts'
import { visible } from '../../common/values.ts'
import { misuse } from '../../common/failure.ts'
import { writeTo, type OutputOptions } from '../terminal/output.ts'
import { isTerminal } from '../terminal/terminal.ts'

interface Value {
  /** The type of a primitive value; null for an opaque one. */
  readonly type: string | null
  readonly mediaType: string
  readonly bytes: Buffer
}

/** Writes the value of a tag to standard output, with a line end after a primitive value, or unchanged into a file. */
export async function writeValue(
  connection: Connection,
  { address, tag }: { readonly address: Address; readonly tag: string },
  options: OutputOptions,
): Promise<void> {
  if (options.csv || options.columns !== undefined) {
    throw misuse('one value has no columns', 'leave out the tag, or --csv and --columns')
  }
  const value = await fetchValue(connection, await inUrl(connection, address), tag)
  if (options.output !== undefined) return writeTo(options.output, once(contentOf(value, options)))
  if (isTerminal())
    return writeTo(undefined, once(`${visibleLines(contentOf(value, options), value.mediaType)}\n`))
  const end = value.type === null ? '' : '\n'
  return writeTo(undefined, once(Buffer.concat([contentOf(value, options), Buffer.from(end)])))
}

async function* once<T>(chunk: T): AsyncGenerator<T> {
  yield chunk
}

async function fetchValue({ client }: Connection, address: Address, tag: string): Promise<Value> {
  const parseAs = 'arrayBuffer'
  const { data, response } =
    'id' in address
      ? await client.GET('/objects/{object_id}/{tag_path}', {
          params: { path: { object_id: address.id, tag_path: tag } },
          parseAs,
        })
      : await client.GET('/about/{about_value}/{tag_path}', {
          params: { path: { about_value: address.about, tag_path: tag } },
          parseAs,
        })
  const { headers } = response
  return {
    type: headers.get('x-service-type'),
    mediaType: headers.get('content-type') ?? '',
    bytes: Buffer.from(data),
  }
}

function contentOf({ type, bytes }: Value, { json, ndjson }: OutputOptions): Buffer {
  return type === 'string' && !json && !ndjson ? Buffer.from(JSON.parse(bytes.toString()) as string) : bytes
}

/** The lines of a text for a terminal. Throws a `Failure` if the bytes, of this media type, are not text. */
export function visibleLines(content: Buffer, mediaType: string): string {
  if (!isUtf8(content) || content.includes(0)) {
    const size = content.length.toLocaleString('en')
    throw misuse(`the value is ${mediaType}, ${size} bytes: no text`, 'write it into a file: -o FILE')
  }
  return content
    .toString()
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(visible)
    .join('\n')
}
