/** Sends the requests of Kubb's functions: signs in, repeats arguments, keeps answers as bytes, and can send bytes. */

/** `auth` is `user:password`; `bytes`, sent with `contentType`, replace the body. */
export interface RequestConfig<Data = unknown> {
  method: string
  url: string
  params?: object
  data?: Data
  headers?: object
  auth?: string
  bytes?: Uint8Array<ArrayBuffer>
  contentType?: string
}

/** `data` has the contract's type if the answer is JSON. */
export interface ResponseConfig<Data = unknown> {
  data: Data
  bytes: Uint8Array
  status: number
  headers: Headers
}

export type ResponseErrorConfig<Failure = unknown> = Failure

export type Client = <Data, _Failure = unknown, Sent = unknown>(
  config: RequestConfig<Sent>,
) => Promise<ResponseConfig<Data>>

const send: Client = async <Data, _Failure, Sent>(config: RequestConfig<Sent>) => {
  const { method, url, params = {}, data, auth = '', bytes, contentType } = config
  const query = Object.entries(params).flatMap(([name, value]: [string, unknown]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  const body = bytes ?? (data === undefined ? undefined : JSON.stringify(data))
  const headers = new Headers({ ...config.headers, Authorization: `Basic ${btoa(auth)}` })
  if (body !== undefined && (contentType ?? !headers.has('Content-Type'))) {
    headers.set('Content-Type', contentType ?? 'application/json')
  }
  const target = `${process.env['GLOSS_URL']}${url}?${new URLSearchParams(query)}`
  const answer = await fetch(target, { method, headers, body })
  const received = new Uint8Array(await answer.arrayBuffer())
  const isJson = /^application\/(\S+\+)?json/.test(answer.headers.get('content-type') ?? '')
  const read: unknown =
    isJson && received.length > 0 ? JSON.parse(new TextDecoder().decode(received)) : undefined
  return { data: read as Data, bytes: received, status: answer.status, headers: answer.headers }
}

export default send
