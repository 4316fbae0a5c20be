/** Answers to JSONP requests: a script that calls a function with the body (the contract's "Web pages"). */
import type { ServerResponse } from 'node:http'
import { StringDecoder } from 'node:string_decoder'
import type { Pieces } from '../../model/borrowed-bytes.ts'
import { setNoSniffing } from './success-headers.ts'

/**
 * The beginning of a script. The client chooses the name of the function. The comment keeps that name out of the first
 * octets, by which a plugin might take the answer for a file of its own kind.
 */
const opening = (callback: string): string => `/**/${callback}(`

/** Sends a call of the function with a short body, as a script that any page may load. */
export function sendScript(res: ServerResponse, callback: string, body: Buffer): void {
  const script = Buffer.from(`${opening(callback)}${asScript(body.toString())})`)
  if (res.statusCode === 204) res.statusCode = 200
  startScript(res)
  res.setHeader('Content-Length', script.length)
  res.end(script)
}

/** Sets the headers of a script. */
export function startScript(res: ServerResponse): void {
  res.setHeader('Content-Type', 'text/javascript; charset=utf-8')
  setNoSniffing(res)
}

/** The same call in pieces, for a body in pieces. */
export async function* scriptPieces(callback: string, pieces: Pieces): AsyncGenerator<string> {
  yield opening(callback)
  const decoder = new StringDecoder('utf8')
  for await (const piece of pieces) {
    const bytes = Buffer.allocUnsafe(piece.length)
    piece.copy(bytes)
    yield asScript(decoder.write(bytes))
  }
  yield ')'
}

/** JSON may contain U+2028 and U+2029, but older engines take them for the end of a line of script. */
const asScript = (json: string): string =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
