/** The search in the reference: it lists the entries that have all words of a field, while they are typed. */

/**
 * An element of the page by its id.
 *
 * @param {string} id
 * @returns {any}
 */
const byId = (id) => document.getElementById(id)

/** @type {HTMLInputElement} */
const field = byId('find')
/** @type {HTMLUListElement} */
const list = byId('found')

/** @typedef {{ id: string, title: string, detail: string, text: string }} Entry what can be found, and its text in lower case */

/**
 * @param {string} id
 * @param {string} title
 * @param {string} detail
 * @param {string | null} text
 * @returns {Entry}
 */
const entry = (id, title, detail, text) => ({
  id,
  title,
  detail,
  text: `${id} ${title} ${detail} ${text ?? ''}`.toLowerCase(),
})

/**
 * The text between a heading and the next.
 *
 * @param {Element} heading
 */
function textUnder(heading) {
  const texts = []
  for (let next = heading.nextElementSibling; next !== null && !/^(H\d|ARTICLE)$/.test(next.tagName);) {
    texts.push(next.textContent)
    next = next.nextElementSibling
  }
  return texts.join(' ')
}

/**
 * The entries that can be found: operations, classes of errors, sections, schemas.
 *
 * @returns {Entry[]}
 */
function entries() {
  /** @param {string} selector */
  const all = (selector) => [...document.querySelectorAll(`main ${selector}`)]
  return [
    ...all('article').map((one) => {
      const route = [...(one.querySelector('.route')?.children ?? [])].slice(0, 2)
      const detail = route.map(({ textContent }) => textContent).join(' ')
      const head = one.querySelector('.route [id]')?.id
      return entry(one.id, one.querySelector('h3')?.textContent ?? '', detail, `${head} ${one.textContent}`)
    }),
    ...all('[id^="error-"]').map((one) => {
      const whole = one.closest('tr') ?? one
      return entry(one.id, one.id.slice('error-'.length), 'class of errors', whole.textContent)
    }),
    ...all('h2[id]').map((one) => {
      const detail = one.id.startsWith('operations-') ? 'group of operations' : 'section'
      return entry(one.id, one.textContent ?? '', detail, textUnder(one))
    }),
    ...all('[id^="schema-"]').map((one) =>
      entry(one.id, one.id.slice('schema-'.length), 'schema', one.textContent),
    ),
  ]
}

/** @type {Entry[] | undefined} */
let known

/**
 * The entries that have all of the words; those with the words in the title or the route come first.
 *
 * @param {string[]} words in lower case
 * @returns {Entry[]}
 */
function findAll(words) {
  known ??= entries()
  /** @param {Entry} one */
  const rank = ({ id, title, detail }) => {
    const name = `${title} ${detail} ${id}`.toLowerCase()
    const missing = words.filter((word) => !name.includes(word)).length
    return missing * 2 + (title.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1)
  }
  return known
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .sort((one, other) => rank(one) - rank(other) || one.title.length - other.title.length)
}

/** Shows what the field asks for, or the contents if it asks for nothing. */
function showFound() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? [] : findAll(words)
  list.replaceChildren(...found.map(itemOf))
  byId('chapters').hidden = words.length > 0
  byId('found-count').textContent = words.length === 0 ? '' : `${found.length || 'Nothing'} found`
}

/** @param {Entry} found */
function itemOf({ id, title, detail }) {
  const [item, link, small] = ['li', 'a', 'small'].map((name) => document.createElement(name))
  if (item === undefined || link === undefined || small === undefined) throw new Error('unreachable')
  link.setAttribute('href', `#${id}`)
  small.textContent = detail
  link.append(title, ' ', small)
  item.append(link)
  return item
}

/** The links of the list that is shown. */
const results = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll('a')])

/** Forgets what was asked for. */
function clear() {
  field.value = ''
  showFound()
  field.focus()
}

/**
 * What each key does in the field, and in what was found; undefined leaves it to the browser.
 *
 * @type {Record<string, (at: number) => void>}
 */
const KEYS = {
  ArrowDown: (at) => (results()[at + 1] ?? results().at(-1) ?? field).focus(),
  ArrowUp: (at) => (results()[at - 1] ?? field).focus(),
  Enter: (at) => results()[Math.max(at, 0)]?.click(),
  Escape: clear,
}

/**
 * Moves between the field and what was found.
 *
 * @param {KeyboardEvent} event
 */
function onKey(event) {
  const act = KEYS[event.key]
  if (act === undefined || field.value === '') return
  event.preventDefault()
  act(results().indexOf(/** @type {HTMLElement} */ (event.target)))
}

/** Puts the cursor into the field. */
export function startFinding() {
  field.focus()
  field.select()
}

/** Shows the field, which is of no use without a script, and serves it. */
export function useSearch() {
  byId('search').hidden = false
  field.addEventListener('input', showFound)
  byId('search').addEventListener('keydown', onKey)
}
