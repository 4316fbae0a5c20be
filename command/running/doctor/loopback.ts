/** Tells whether a host is this machine. */
import { isIP } from 'node:net'

/** Returns whether a name or an address, in brackets or not, is a loopback address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || /^\[?::1\]?$/.test(host) || (isIP(host) === 4 && host.startsWith('127.'))
