/**
 * The root of the service, where a person arrives who opens its address in a browser. It is not an operation of the
 * contract, because a client has nothing to ask there.
 */
import type { ServerResponse } from 'node:http'
import { asksForPages } from './accept.ts'
import type { Incoming } from './request.ts'
import { setCacheControl } from './success-headers.ts'

/** Whether a request is for the page that the service begins with; for anybody else there is nothing at the root. */
export function isForStart(incoming: Incoming): boolean {
  const { method, rawPath, callback } = incoming
  const isPlainRead = (method === 'GET' || method === 'HEAD') && callback === undefined
  return rawPath === '/' && isPlainRead && asksForPages(incoming.header('accept'))
}

/** Leads to the reference. */
export function sendStart(res: ServerResponse, baseUrl: string): void {
  res.statusCode = 303
  setCacheControl(res)
  res.setHeader('Location', `${baseUrl}/docs`)
  res.end()
}
