/** Where a short text stops being JSON, for whoever has to mend it. */

/** The longest text that is looked at, in characters: this is for people, and costs more than parsing a text. */
const LONGEST = 4 * 1024

/** One token, after white space. A token that is none is a run of letters and digits, or one character. */
const TOKEN = new RegExp(
  [
    String.raw`(?<blank>[\t\n\r ]*)(?:(?<mark>[[\]{},:])`,
    String.raw`(?<string>"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")`,
    String.raw`(?<scalar>(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))`,
    String.raw`(?<other>[\p{L}\p{N}_.+-]+|[^]|$))`,
  ].join('|'),
  'uy',
)

type Expected =
  'a value' | 'a value or ]' | 'a string or }' | 'a string' | ':' | ', or ]' | ', or }' | 'the end'

/** What may follow a token; `open` are the lists and objects around it, which it may open or close. */
type Step = (open: string[]) => Expected

const after: Step = (open) => AFTER[open.at(-1) ?? ''] ?? 'the end'
const close: Step = (open) => {
  open.pop()
  return after(open)
}
const begin =
  (mark: string, inside: Expected): Step =>
  (open) => {
    open.push(mark)
    return inside
  }
const then =
  (expected: Expected): Step =>
  () =>
    expected

/** What follows a complete value in the innermost list or object. */
const AFTER: Readonly<Record<string, Expected>> = { '[': ', or ]', '{': ', or }' }

const VALUE = {
  '[': begin('[', 'a value or ]'),
  '{': begin('{', 'a string or }'),
  string: after,
  scalar: after,
}

/** Which tokens may stand where something is expected. */
const GRAMMAR: Readonly<Record<Expected, Readonly<Partial<Record<string, Step>>>>> = {
  'a value': VALUE,
  'a value or ]': { ...VALUE, ']': close },
  'a string or }': { string: then(':'), '}': close },
  'a string': { string: then(':') },
  ':': { ':': then('a value') },
  ', or ]': { ',': then('a value'), ']': close },
  ', or }': { ',': then('a string'), '}': close },
  'the end': {},
}

/** The next token of a text, of one of the kinds in `GRAMMAR` or of another; it is empty at the end. */
function nextToken(text: string): { kind: string; token: string; end: number } {
  const { groups: { blank = '', mark, ...kinds } = {}, 0: whole = '' } = TOKEN.exec(text) ?? {}
  const kind = mark ?? Object.keys(kinds).find((name) => kinds[name] !== undefined) ?? ''
  return { kind, token: whole.slice(blank.length), end: TOKEN.lastIndex }
}

/**
 * Where a text is not JSON, to follow these words, and what was expected there: line and column count from 1, columns in UTF-16 code units.
 * Undefined for a text that is too long to be looked at, or in which nothing is found.
 */
export function describeFlaw(text: string): string | undefined {
  if (text.length > LONGEST) return undefined
  const open: string[] = []
  let expected: Expected = 'a value'
  TOKEN.lastIndex = 0
  for (;;) {
    const { kind, token, end } = nextToken(text)
    const step: Step | undefined = GRAMMAR[expected][kind]
    if (step !== undefined) expected = step(open)
    else if (token === '' && expected === 'the end') return undefined
    else return sentence(text, end - token.length, expected, token)
  }
}

const SHOWN = 20

function sentence(text: string, offset: number, expected: Expected, token: string): string {
  const lines = text.slice(0, offset).split(/\r\n?|\n/)
  const found = token === '' ? 'the end' : token.slice(0, SHOWN).toWellFormed()
  const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
  return ` at ${place}: expected ${expected}, found ${found}${remedyFor(token)}`
}

/** What people write who think of another language than JSON. */
function remedyFor(token: string): string {
  if (/^(?:true|false|null|none)$/i.test(token)) return '; write true, false and null in lower case'
  if (/^[\p{L}_'‘’“”]/u.test(token)) return '; put strings in double quotes'
  return token.startsWith('"') ? '; the string does not end, or something in it must be escaped' : ''
}
