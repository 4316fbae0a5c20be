/** Network addresses of clients. */
import ipaddr from 'ipaddr.js'

/** The longest text of an IPv6 address. */
const MAX_ADDRESS = 45

/**
 * What counts as one client: an IPv4 address, also one written as an IPv6 address, or the /64 of an IPv6 address, which
 * is what a provider gives to one customer. Anything else, such as what a proxy made up, counts as its first 45
 * characters. A port after an address, which some proxies put into X-Forwarded-For, does not count: it differs with each
 * connection of one client.
 */
export function networkOf(client: string): string {
  const address = withoutPort(client)
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_ADDRESS)
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`
}

/** The address in `192.0.2.1:50000`, `[2001:db8::1]:50000` or `[2001:db8::1]`; other texts as they are. */
function withoutPort(client: string): string {
  const found = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(client)
  return found?.[1] ?? found?.[2] ?? client
}
