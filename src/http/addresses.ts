/** Network addresses of clients. */
import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network that an address stands for: an IPv4 address itself, also in its IPv6 form, and the /64 of an IPv6
 * address, since whoever has one address of it has them all. Anything else stands for itself.
 */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIPv4(mapped) || !isIPv6(mapped)) return mapped
  const [scopeless = ''] = mapped.split('%')
  // A URL gives the one spelling without dots and leading zeros; only `::` is left to be written out.
  const [head = '', tail] = new URL(`http://[${scopeless}]`).hostname.slice(1, -1).split('::')
  const groups = head.split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  const all = [...groups, ...Array<string>(missing).fill('0'), ...(tail ?? '').split(':').filter(Boolean)]
  return `${all.slice(0, 4).join(':')}::/64`
}
