/** An independent JSON parser (RFC 8259): strict, working on octets, and keeping numbers as literals. */

/** A number as its literal. */
export class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A JSON value. Objects are maps in which the last of equal keys has won. */
export type Json = null | boolean | string | Literal | Json[] | Map<string, Json>

/** Thrown for octets that are not a JSON text in UTF-8. */
export class NoJson extends Error {}

/** The deepest nesting of arrays and objects that the service accepts. */
const MAX_DEPTH = 100
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** Parses a text. Throws `NoJson`, even for lone surrogates and for nesting beyond the limit. */
export function parseStrictly(octets: Buffer): Json {
  const parser = new Parser(codePointsOf(octets))
  const json = parser.value(0)
  parser.end()
  return json
}

/** Decodes UTF-8 strictly: shortest forms only, no surrogates, nothing above U+10FFFF. */
function codePointsOf(octets: Buffer): number[] {
  const points: number[] = []
  for (let i = 0; i < octets.length;) {
    const first = octets[i] ?? 0
    const length =
      first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0
    let point = length === 1 ? first : first & (0xff >> (length + 1))
    for (let j = 1; j < length; j++) {
      const next = octets[i + j] ?? 0
      if (next >> 6 !== 2) throw new NoJson('not UTF-8')
      point = (point << 6) | (next & 0x3f)
    }
    const least = [Infinity, 0, 0x80, 0x800, 0x10000][length] ?? Infinity
    if (point < least || point > 0x10ffff || isSurrogate(point)) throw new NoJson('not UTF-8')
    points.push(point)
    i += length
  }
  return points
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

class Parser {
  readonly #points: readonly number[]
  #at = 0

  constructor(points: readonly number[]) {
    this.#points = points
  }

  value(depth: number): Json {
    this.#spaces()
    const next = this.#peek()
    let json: Json
    if (next === '{') json = this.#object(depth + 1)
    else if (next === '[') json = this.#array(depth + 1)
    else if (next === '"') json = this.#string()
    else if (next === 't') json = this.#word('true', true)
    else if (next === 'f') json = this.#word('false', false)
    else if (next === 'n') json = this.#word('null', null)
    else json = this.#number()
    this.#spaces()
    return json
  }

  end(): void {
    if (this.#at < this.#points.length) throw new NoJson('something after the value')
  }

  #peek(): string {
    const point = this.#points[this.#at]
    return point === undefined ? '' : String.fromCodePoint(point)
  }

  #take(): string {
    const character = this.#peek()
    if (character === '') throw new NoJson('cut off')
    this.#at++
    return character
  }

  #expect(character: string): void {
    if (this.#take() !== character) throw new NoJson(`no ${character}`)
  }

  #spaces(): void {
    while (' \t\n\r'.includes(this.#peek()) && this.#peek() !== '') this.#at++
  }

  #word(word: string, json: Json): Json {
    for (const character of word) this.#expect(character)
    return json
  }

  #digits(): string {
    let digits = ''
    while (/^[0-9]$/.test(this.#peek())) digits += this.#take()
    if (digits === '') throw new NoJson('no digit')
    return digits
  }

  #number(): Literal {
    let text = this.#peek() === '-' ? this.#take() : ''
    const whole = this.#digits()
    if (whole.length > 1 && whole.startsWith('0')) throw new NoJson('a zero in front')
    text += whole
    if (this.#peek() === '.') text += this.#take() + this.#digits()
    if (/^[eE]$/.test(this.#peek())) {
      text += this.#take()
      if (/^[+-]$/.test(this.#peek())) text += this.#take()
      text += this.#digits()
    }
    return new Literal(text)
  }

  #string(): string {
    this.#expect('"')
    let text = ''
    for (;;) {
      const character = this.#take()
      if (character === '"') break
      if (character < ' ') throw new NoJson('a control character')
      text += character === '\\' ? this.#escape() : character
    }
    if (!text.isWellFormed()) throw new NoJson('a lone surrogate')
    return text
  }

  #escape(): string {
    const character = this.#take()
    if (character !== 'u') {
      const meant = ESCAPES[character]
      if (meant === undefined || !Object.hasOwn(ESCAPES, character)) throw new NoJson('no such escape')
      return meant
    }
    const hex = this.#take() + this.#take() + this.#take() + this.#take()
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw new NoJson('no such escape')
    return String.fromCharCode(parseInt(hex, 16))
  }

  #array(depth: number): Json[] {
    this.#enter(depth)
    const items: Json[] = []
    this.#expect('[')
    this.#spaces()
    if (this.#peek() === ']') this.#at++
    else
      do items.push(this.value(depth))
      while (this.#goesOn(']'))
    return items
  }

  #object(depth: number): Map<string, Json> {
    this.#enter(depth)
    const members = new Map<string, Json>()
    this.#expect('{')
    this.#spaces()
    if (this.#peek() === '}') this.#at++
    else
      do {
        this.#spaces()
        const key = this.#string()
        this.#spaces()
        this.#expect(':')
        members.set(key, this.value(depth))
      } while (this.#goesOn('}'))
    return members
  }

  #enter(depth: number): void {
    if (depth > MAX_DEPTH) throw new NoJson('too deep')
  }

  #goesOn(end: string): boolean {
    const character = this.#take()
    if (character !== end && character !== ',') throw new NoJson('no comma')
    return character === ','
  }
}

/** The type of a primitive value and a text that is equal for equal values; undefined for other JSON. */
export function primitiveIn(json: Json): { type: string; same: string } | undefined {
  if (json === null) return { type: 'null', same: 'null' }
  if (typeof json === 'boolean') return { type: 'boolean', same: String(json) }
  if (typeof json === 'string') return { type: 'string', same: json }
  if (json instanceof Literal) return numberIn(json.text)
  if (!Array.isArray(json) || !json.every((item) => typeof item === 'string')) return undefined
  return { type: 'list-of-strings', same: JSON.stringify(json) }
}

function numberIn(text: string): { type: string; same: string } | undefined {
  if (/[.eE]/.test(text)) {
    const double = Number(text)
    if (!Number.isFinite(double)) return undefined
    return { type: 'float', same: Object.is(double, -0) ? '-0' : String(double) }
  }
  const int = BigInt(text)
  return BigInt.asIntN(64, int) === int ? { type: 'int', same: String(int) } : undefined
}

/** The JavaScript value, for comparisons that do not depend on exact numbers. */
export function plain(json: Json): unknown {
  if (json instanceof Literal) return Number(json.text)
  if (Array.isArray(json)) return json.map(plain)
  if (!(json instanceof Map)) return json
  return Object.fromEntries([...json].map(([key, value]) => [key, plain(value)]))
}
