/** Network addresses of clients. */
import ipaddr from 'ipaddr.js'

/** The longest text of an IPv6 address. */
const MAX_ADDRESS = 45

/**
 * What counts as one client: an IPv4 address, also one written as an IPv6 address, or the /64 of an IPv6 address, which
 * is what a provider gives to one customer. Anything else, such as what a proxy made up, counts as its first 45
 * characters.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_ADDRESS)
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}
