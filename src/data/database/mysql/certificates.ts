/** When the certificates end that database servers have shown. */
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'

/** The parts of the driver's connection that this file uses. */
interface Encrypted {
  readonly stream: Socket | TLSSocket
  /** The same object for all connections that may resume a session of TLS; the driver has `false` without TLS. */
  readonly config: { readonly ssl?: object | false }
}

/** By the driver's options for TLS, since a resumed session shows no certificate again. */
const ends = new WeakMap<object, number>()

/** Takes note of the certificate of a connection that has signed in. */
export function noteCertificate(driver: unknown): void {
  const { stream, config } = driver as Encrypted
  if (!config.ssl || !('getPeerCertificate' in stream)) return
  const end = Date.parse(stream.getPeerCertificate().valid_to)
  if (!Number.isNaN(end)) ends.set(config.ssl, end)
}

/** The end of the server's certificate, in milliseconds since 1970; undefined without TLS. */
export function certificateEnd(driver: unknown): number | undefined {
  const { ssl } = (driver as Encrypted).config
  return ssl ? ends.get(ssl) : undefined
}
