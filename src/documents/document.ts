/** A document as it is sent: its text, as octets and in the content codings that save most of them. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const CODINGS = ['br', 'gzip'] as const
type Coding = (typeof CODINGS)[number]

// Higher qualities save little and take up to a hundred times as long.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const COMPRESS: Readonly<Record<Coding, (content: Buffer) => Promise<Buffer>>> = {
  br: (content) => promisify(brotliCompress)(content, BROTLI),
  gzip: (content) => promisify(gzip)(content),
}

/** A document: its media type, its UTF-8 text, and what identifies that text. */
export class Document {
  readonly contentType: string
  readonly content: Buffer
  /** Changes with the content; 43 characters that may stand in an entity tag. */
  readonly digest: string
  #lasts = false
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  /** Headers that it has instead of those that documents have in general. */
  readonly headers: Readonly<Record<string, string>>

  constructor(contentType: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.contentType = contentType
    this.headers = headers
    this.content = Buffer.from(text)
    this.digest = createHash('sha256').update(this.content).digest('base64url')
  }

  /** It will be asked for again, so that it is worth compressing. */
  lasts(): void {
    this.#lasts = true
  }

  /** The content codings in which it may be sent, the shortest first. */
  get codings(): readonly Coding[] {
    return this.#lasts ? CODINGS : []
  }

  /** The content in a coding: compressed when it is first asked for, off the event loop, and kept as long as this is. */
  in(coding: Coding): Promise<Buffer> {
    const known = this.#compressed.get(coding)
    if (known !== undefined) return known
    const compressed = COMPRESS[coding](this.content)
    this.#compressed.set(coding, compressed)
    return compressed
  }
}
