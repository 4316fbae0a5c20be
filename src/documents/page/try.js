/** The page to send requests from: shows one form at a time, and sends what it says. */
import { element, shown } from './answer.js'
import { addCopyButton } from './copy.js'
import { curlOf, pathOf, shellWord } from './request.js'

/**
 * An element of the page by its id.
 *
 * @param {string} id
 * @returns {any}
 */
const byId = (id) => document.getElementById(id)

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
    byId('answer').replaceChildren(...(await shown(answer, login !== undefined)))
    byId('answer').parentElement.scrollIntoView({ block: 'nearest' })
  } catch (error) {
    byId('answer').replaceChildren(element('p', `The request could not be sent: ${error}`))
  }
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
addCopyButton(byId('command').parentElement)
showForm()
