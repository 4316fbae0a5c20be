/** Sends what Node's client cannot be made to send directly: neither `Content-Length` nor `Transfer-Encoding`. */
import { request } from 'node:http'
import { PASSWORD, type Answer } from '../support/service.ts'

/** Sends a request without a body and without a header about its length. */
export function sendBare(url: string, method: string, path: string, as?: string): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const req = request({ hostname, port, method, path }, (res) => {
      const { statusCode = 0, headers } = res
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        const body = Buffer.concat(chunks)
        const error = headers['x-service-error-class'] as string | undefined
        resolve({
          status: statusCode,
          headers,
          body,
          error,
          json: () => JSON.parse(body.toString()) as unknown,
        })
      })
    })
    // Node does not add a header that has been removed.
    req.removeHeader('content-length')
    req.removeHeader('transfer-encoding')
    if (as !== undefined) {
      req.setHeader('authorization', `Basic ${Buffer.from(`${as}:${PASSWORD}`).toString('base64')}`)
    }
    req.on('error', reject)
    req.end()
  })
}
