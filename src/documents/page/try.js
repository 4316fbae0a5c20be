/** The page to send requests from: shows one form at a time, sends what it says, and shows what comes back as text. */
import { curlOf, pathOf, shellWord } from './request.js'

/**
 * An element of the page by its id.
 *
 * @param {string} id
 * @returns {any}
 */
const byId = (id) => document.getElementById(id)

/**
 * A new element that holds text and other elements; markup in text stays text.
 *
 * @param {string} name
 * @param {...(string | Node)} children
 * @returns {HTMLElement}
 */
function element(name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

/** @type {HTMLFormElement[]} */
const forms = Array.from(document.querySelectorAll('form[data-method]'), (form) => /** @type {any} */ (form))

/** @returns {HTMLFormElement} */
const current = () => byId(`try-${byId('operation').value}`)

/** The request that a form describes.
 *
 * @param {HTMLFormElement} form
 */
function requestOf(form) {
  const { method = '', path = '', tail = '' } = form.dataset
  /** @param {string} place */
  const valuesIn = (place) =>
    /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(`[data-in="${place}"]`)])
      .filter((control) => control.value !== '' || 'required' in control.dataset)
      .flatMap((control) =>
        ('lines' in control.dataset ? control.value.split('\n') : [control.value]).map(
          (value) => /** @type {[string, string]} */ ([control.name, value]),
        ),
      )
  const headers = valuesIn('header')
  /** @type {HTMLTextAreaElement | null} */
  const area = form.querySelector('[data-in="body"]')
  const [[, type = ''] = []] = valuesIn('type')
  // An empty value is a value, but empty JSON is no body at all.
  const body = area === null || (area.value === '' && /json/.test(type)) ? undefined : area.value
  if (body !== undefined && type !== '') headers.push(['Content-Type', type])
  const url = location.origin + pathOf(path, new Map(valuesIn('path')), tail)
  return { method, url, query: valuesIn('query'), headers, body }
}

/** Shows the request of the form as a command. */
function showCommand() {
  const username = byId('username').value
  const login = username === '' ? undefined : shellWord(username)
  byId('command').textContent = curlOf({ ...requestOf(current()), login })
}

/** Shows the form of the operation that the address names, if it names one. */
function showForm() {
  const id = location.hash.slice(1)
  if (byId(`try-${id}`) !== null) byId('operation').value = id
  for (const form of forms) form.hidden = form !== current()
  showCommand()
}

/** Credentials for the header; undefined for the anonymous user. */
function authorization() {
  const [username, password] = [byId('username').value, byId('password').value]
  if (username === '' && password === '') return undefined
  const bytes = new TextEncoder().encode(`${username}:${password}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/** Sends the request of the form and shows its answer. */
async function send() {
  const { method, url, query, headers, body } = requestOf(current())
  const search = String(new URLSearchParams(query))
  const login = authorization()
  try {
    const answer = await fetch(search === '' ? url : `${url}?${search}`, {
      method,
      headers: login === undefined ? headers : [...headers, ['Authorization', login]],
      body: body ?? null,
      credentials: 'omit',
      cache: 'no-store',
    })
    byId('answer').replaceChildren(...(await shown(answer)))
    byId('answer-title').scrollIntoView({ block: 'nearest' })
  } catch (error) {
    byId('answer').replaceChildren(element('p', `The request could not be sent: ${error}`))
  }
}

/**
 * An answer as elements: its status, its headers, its body.
 *
 * @param {Response} answer
 * @returns {Promise<HTMLElement[]>}
 */
async function shown(answer) {
  const status = element('p', `${answer.status} ${answer.statusText}`)
  status.className = answer.ok ? 'status good' : 'status bad'
  const rows = [...answer.headers].map(([name, value]) =>
    element('div', element('dt', element('code', name)), element('dd', element('code', value))),
  )
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return [status, element('dl', ...rows), bodyOf(bytes, answer.headers.get('content-type') ?? '')]
}

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
    return element('pre', element('code', cut))
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
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|\[\s*\]|\{\s*\}|[[\]{},:]/g, (token) => {
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

byId('operation').addEventListener('change', () => {
  location.hash = byId('operation').value
})
for (const form of [...forms, byId('login')]) {
  form.addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault()
    void send()
  })
  form.addEventListener('input', showCommand)
  form.addEventListener('change', (/** @type {Event & { target: HTMLSelectElement }} */ { target }) => {
    if (target.dataset['in'] !== 'example') return
    form.querySelector('[data-in="body"]').value = target.value
    form.querySelector('[data-in="type"]').value = target.selectedOptions[0]?.dataset['type'] ?? ''
    showCommand()
  })
}
addEventListener('hashchange', showForm)
showForm()
