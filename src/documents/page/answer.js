/** An answer on the page: what came of the request, then what belongs to it, and the other headers folded. */
import { addCopyButton } from './copy.js'

/**
 * A new element that holds text and other elements; markup in text stays text.
 *
 * @param {string} name
 * @param {...(string | Node)} children
 * @returns {HTMLElement}
 */
export function element(name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

const ERROR_CLASS = 'x-service-error-class'
const MESSAGE = 'x-service-message'

/** Headers that say something about what was asked for; `x-service-` begins others. */
const TELLING = ['allow', 'content-type', 'etag', 'last-modified', 'location', 'retry-after']

/**
 * An answer as elements: its status and class, a sentence about an error, telling headers, the others, its body.
 *
 * @param {Response} answer
 * @param {boolean} signedIn whether the request had credentials
 * @returns {Promise<HTMLElement[]>}
 */
export async function shown(answer, signedIn) {
  const status = element('h3', `${answer.status} ${answer.statusText}`)
  status.className = answer.ok ? 'status good' : 'status bad'
  const errorClass = answer.headers.get(ERROR_CLASS)
  if (errorClass !== null) status.append(' ', linkTo(errorClass))
  const headers = [...answer.headers].filter(([name]) => name !== ERROR_CLASS && name !== MESSAGE)
  const [telling, others] = [true, false].map((wanted) =>
    headers.filter(([name]) => (TELLING.includes(name) || name.startsWith('x-service-')) === wanted),
  )
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return [
    status,
    ...sentenceOf(answer, signedIn),
    listOf(telling ?? []),
    folded(others ?? []),
    bodyOf(bytes, answer.headers.get('content-type') ?? ''),
  ]
}

/**
 * The class of an error, linked to where the reference explains it.
 *
 * @param {string} errorClass
 */
function linkTo(errorClass) {
  const link = element('a', element('code', errorClass))
  link.setAttribute('href', `../docs#error-${encodeURIComponent(errorClass)}`)
  return link
}

/**
 * The sentence that says why a request failed; nothing for a success, and for an error without a sentence.
 *
 * @param {Response} answer
 * @param {boolean} signedIn
 * @returns {HTMLElement[]}
 */
function sentenceOf({ status, headers }, signedIn) {
  const text = headers.get(MESSAGE) ?? SENTENCES[status]?.(headers, signedIn)
  if (text === undefined) return []
  const message = element('p', decoded(text))
  message.className = 'message bad'
  return [message]
}

/**
 * Sentences for errors that need not say anything to programs, by status.
 *
 * @type {Record<number, (headers: Headers, signedIn: boolean) => string | undefined>}
 */
const SENTENCES = {
  401: (headers, signedIn) => {
    if (signedIn) return headers.has(ERROR_CLASS) ? undefined : 'The user name or the password is wrong.'
    return 'The anonymous user may not do this: sign in.'
  },
  429: (headers) =>
    `Too many attempts to sign in have failed. Try again in ${headers.get('retry-after')} seconds.`,
}

/**
 * A header of an error as text: what HTTP cannot hold is percent-encoded in it.
 *
 * @param {string} text
 * @returns {string}
 */
function decoded(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    // Cut in the middle of a character.
    return text
  }
}

/**
 * @param {[name: string, value: string][]} headers
 * @returns {HTMLElement}
 */
const listOf = (headers) =>
  element(
    'dl',
    ...headers.map(([name, value]) =>
      element('div', element('dt', element('code', name)), element('dd', element('code', value))),
    ),
  )

/**
 * @param {[name: string, value: string][]} headers
 * @returns {HTMLElement}
 */
const folded = (headers) =>
  element('details', element('summary', `${headers.length} other headers`), listOf(headers))

// More of it would keep the browser busy for minutes.
const SHOWN_CHARACTERS = 1_000_000

/**
 * A body as an element: JSON laid out, other text as it is, cut where it is very long, and of anything else the size.
 *
 * @param {Uint8Array} bytes
 * @param {string} contentType
 * @returns {HTMLElement}
 */
function bodyOf(bytes, contentType) {
  if (bytes.length === 0) return element('p', 'No body.')
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const whole = /json/.test(contentType) ? laidOut(text) : text
    const cut = whole.length > SHOWN_CHARACTERS ? `${whole.slice(0, SHOWN_CHARACTERS)} …` : whole
    const pre = element('pre', element('code', cut))
    const frame = element('div', pre)
    addCopyButton(pre)
    return frame
  } catch {
    return element('p', `${bytes.length} bytes that are not UTF-8.`)
  }
}

/**
 * JSON on several lines. It is not parsed, which would round the numbers that JavaScript has not.
 *
 * @param {string} text
 * @returns {string}
 */
function laidOut(text) {
  let depth = 0
  const line = () => `\n${'  '.repeat(depth)}`
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"?|\[\s*\]|\{\s*\}|[[\]{},:]/g, (token) => {
    if (token === ',') return `,${line()}`
    if (token === ':') return ': '
    if (token === '{' || token === '[') {
      depth += 1
      return token + line()
    }
    if (token !== '}' && token !== ']') return token
    depth -= 1
    return line() + token
  })
}
