/**
 * What people open in a browser and no client has a reason to ask for: the root of the service, and the console. Neither is
 * an operation of the contract.
 */
import type { ServerResponse } from 'node:http'
import type { Console } from '../documents/on-demand.ts'
import { asksForPages } from './accept.ts'
import type { Incoming } from './request.ts'
import { send } from './send.ts'

const CONSOLE = '/console'

/** Whether a request is for a page of the console, or for the page that the service begins with. */
export function isForPeople(incoming: Incoming): boolean {
  const { method, rawPath, callback } = incoming
  if ((method !== 'GET' && method !== 'HEAD') || callback !== undefined) return false
  // For anybody else there is nothing at the root.
  return rawPath === '/' ? asksForPages(incoming.header('accept')) : isInConsole(incoming)
}

/**
 * Whether a path is the console's. Its files are the same for everybody, so nobody has to be who the browser says: a browser
 * that remembers an outdated password would ask for another one in a window of its own.
 */
export const isInConsole = ({ rawPath }: Incoming): boolean =>
  rawPath === CONSOLE || rawPath.startsWith(`${CONSOLE}/`)

/** Sends a file of the console, or leads to its page; without a console the root leads to the reference. Returns whether it did. */
export async function sendPage(
  res: ServerResponse,
  incoming: Incoming,
  baseUrl: string,
  console: Console,
): Promise<boolean> {
  const { rawPath } = incoming
  const document = await console(rawPath.slice(`${CONSOLE}/`.length))
  if (rawPath === '/' || (rawPath === CONSOLE && document !== undefined)) {
    const location = document === undefined ? `${baseUrl}/docs` : `${baseUrl}${CONSOLE}/`
    await send(res, { status: 303, location }, incoming)
    return true
  }
  if (document !== undefined) await send(res, { status: 200, document }, incoming)
  return document !== undefined
}
