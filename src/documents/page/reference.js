/** The reference with a script: shows where one is, folds what does not fit, opens what is linked to. */
import { addCopyButton } from './copy.js'
import { startFinding, useSearch } from './find.js'

/**
 * An element of the page by its id.
 *
 * @param {string} id
 * @returns {any}
 */
const byId = (id) => document.getElementById(id)

/** @type {HTMLElement} */
const nav = byId('contents')
const isDrawer = () => getComputedStyle(nav).position === 'fixed'

/**
 * Folds an operation to its summary, with a button that shows the rest. A search in the page still finds the rest.
 *
 * @param {Element} operation
 */
function fold(operation) {
  const parts = /** @type {HTMLElement[]} */ ([...operation.querySelectorAll('.more')])
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'unfold'
  button.textContent = 'Arguments, answers, example'
  const unfold = () => {
    for (const part of parts) part.removeAttribute('hidden')
    button.remove()
  }
  for (const part of parts) {
    part.setAttribute('hidden', 'until-found')
    part.addEventListener('beforematch', unfold)
  }
  button.addEventListener('click', unfold)
  parts[0]?.before(button)
}

/**
 * What the address names, if anything. The browser's own `:target` comes too late for a page that is being loaded.
 *
 * @returns {HTMLElement | null}
 */
const targeted = () => byId(location.hash.slice(1))

/**
 * Opens what the target of the address is folded in, or has folded: browsers do some of it, but not all, themselves.
 * What moves by that is scrolled to again.
 */
function showTarget() {
  const target = targeted()
  const details = /** @type {HTMLDetailsElement | null | undefined} */ (
    target?.closest('details:not([open])')
  )
  /** @type {HTMLElement | null | undefined} */
  const button = target?.closest('article')?.querySelector('.unfold')
  if (details) details.open = true
  button?.click()
  if (details || button) target?.scrollIntoView()
}

/** The contents' links, with what they lead to, in the order of the page. */
const places = /** @type {HTMLAnchorElement[]} */ ([...byId('chapters').querySelectorAll('a')]).map(
  (link) => ({
    link,
    target: byId(link.hash.slice(1)),
  }),
)
/** How far below the top of the window something may begin and count as being read, in pixels. */
const READ_FROM = 160

/** Marks the place in the contents where the window is. */
function showPlace() {
  const here = places.findLast(({ target }) => target.getBoundingClientRect().top < READ_FROM)
  const before = nav.querySelector('[aria-current]')
  if (here?.link === before) return
  before?.removeAttribute('aria-current')
  byId('place').textContent = here?.link.textContent?.trim() ?? ''
  if (here === undefined) return
  here.link.setAttribute('aria-current', 'true')
  const { top, bottom } = here.link.getBoundingClientRect()
  const box = nav.getBoundingClientRect()
  if (top < box.top || bottom > box.bottom) nav.scrollTop += top - box.top - box.height / 3
}

let asked = false
/** Asks for the place once before the next frame, however often the window scrolls until then. */
function showPlaceSoon() {
  if (asked) return
  asked = true
  requestAnimationFrame(() => {
    asked = false
    showPlace()
  })
}

useSearch()
nav.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a') && isDrawer()) nav.hidePopover()
})
addEventListener('keydown', (event) => {
  const typing = /** @type {Element} */ (event.target).closest?.('input, textarea, select')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return
  event.preventDefault()
  if (isDrawer() && !nav.matches(':popover-open')) nav.showPopover()
  startFinding()
})
addEventListener('scroll', showPlaceSoon, { passive: true })
addEventListener('resize', showPlaceSoon)
addEventListener('hashchange', showTarget)
if (isDrawer()) document.querySelectorAll('article').forEach(fold)
for (const block of document.querySelectorAll('main pre')) addCopyButton(/** @type {HTMLElement} */ (block))
targeted()?.scrollIntoView()
showTarget()
showPlace()
