/** A minimal HTTP client for the service: one user, JSON, and errors with the server's own words. */

/** An answer other than success. */
export class ServerError extends Error {
  readonly status: number
  readonly errorClass: string | null

  constructor(request: string, response: Response) {
    const facts = [...response.headers]
      .filter(([name]) => name.startsWith('x-service-') && name !== 'x-service-error-class')
      .map(([name, value]) => `\n  ${name}: ${value}`)
    const errorClass = response.headers.get('x-service-error-class')
    super(`${request} was answered with ${response.status} ${errorClass ?? ''}${facts.join('')}`)
    this.status = response.status
    this.errorClass = errorClass
  }
}

/** A client of the server, signed in as one user. */
export class Client {
  readonly #url: string
  readonly #authorization: string

  constructor(url: string, username: string, password: string) {
    this.#url = url.replace(/\/+$/, '')
    this.#authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }

  /** Sends a request; returns the JSON of the answer, or undefined if it has no body. */
  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#fetch(method, path, {
      type: 'application/json',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }

  /** Puts a file, as it is, on the object with an about value. */
  async putFile(about: string, tag: string, file: { type: string; body: Buffer }): Promise<void> {
    await this.#fetch('PUT', `/about/${encodeURIComponent(about)}/${tag}`, file)
  }

  async #fetch(
    method: string,
    path: string,
    { type, body }: { readonly type: string; readonly body?: string | Buffer },
  ): Promise<Response> {
    const headers = { authorization: this.#authorization, 'content-type': type }
    const response = await this.#answer(path, { method, headers, ...(body === undefined ? {} : { body }) })
    if (!response.ok) throw new ServerError(`${method} ${path.split('?')[0] ?? ''}`, response)
    return response
  }

  async #answer(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(this.#url + path, init)
    } catch (error) {
      throw new Error(
        `No server answers at ${this.#url}. Start one with npm start, or name it: npm run demo -- --url ...`,
        { cause: error },
      )
    }
  }
}
