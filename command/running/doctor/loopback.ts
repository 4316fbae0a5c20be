/** Whether a host is this machine itself. */
import { isIP } from 'node:net'

/** Whether a name or an address, in brackets or not, leads to this machine by no network. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || (isIP(host) === 4 && host.startsWith('127.'))
