/** Sends the requests of Orval's functions: signs in, keeps answers as bytes and JSON, and can send bytes unchanged. */

/** `auth` is `user:password`; `bytes`, sent with `contentType`, replace the body. */
export interface Options extends RequestInit {
  auth?: string
  bytes?: Uint8Array<ArrayBuffer>
  contentType?: string
}

/** What every function returns; `data` has the contract's type if the answer is JSON. */
export interface Answer {
  status: number
  headers: Headers
  data: unknown
  bytes: Uint8Array
}

export async function send<T>(
  url: string,
  { auth = '', bytes, contentType, ...options }: Options,
): Promise<T & Answer> {
  const headers = new Headers(options.headers)
  headers.set('Authorization', `Basic ${btoa(auth)}`)
  if (contentType) headers.set('Content-Type', contentType)
  const answer = await fetch(`${process.env['GLOSS_URL']}${url}`, {
    ...options,
    headers,
    body: bytes ?? options.body,
  })
  const received = new Uint8Array(await answer.arrayBuffer())
  const isJson = /^application\/(\S+\+)?json/.test(answer.headers.get('content-type') ?? '')
  const data: unknown =
    isJson && received.length > 0 ? JSON.parse(new TextDecoder().decode(received)) : undefined
  return { status: answer.status, headers: answer.headers, data, bytes: received } as T & Answer
}
