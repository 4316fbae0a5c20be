/** The contents of the reference, beside it or behind a button. */
import { html, slug, type Html } from './html.ts'
import type { Model, Operation } from './model.ts'

/** The operations with a tag; HEAD is shown with the GET of its path. */
export const ofTag = ({ operations }: Model, name: string): Operation[] =>
  operations.filter(({ tag, method }) => tag === name && method !== 'HEAD')

/** The name of a tag as a heading. */
export const heading = (tag: string): string => tag.slice(0, 1).toUpperCase() + tag.slice(1)

/** A method, coloured by what it does. */
export const methodMark = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** The field for finding things. The script that serves it shows it. */
const search = (): Html =>
  html` <div class="search" id="search" role="search" hidden>
    <label class="hidden" for="find">Find in the reference</label>
    <input id="find" type="search" placeholder="Find ( / )" autocomplete="off" spellcheck="false" />
    <p class="hint" id="found-count" role="status"></p>
    <ul id="found"></ul>
  </div>`

/** The chapters and operations as links, and the field for finding things; behind a button where the window is narrow. */
export function contents(model: Model): Html {
  const chapters = [...model.description.matchAll(/^## (.+)$/gm)].map(([, title = '']) => [
    slug(title),
    title,
  ])
  const item = ([id, title]: readonly string[]): Html => html`<li><a href="#${id}">${title}</a></li>`
  const tags = model.tags.map(
    ({ name }) =>
      html` <li>
        <a href="#operations-${name}">${heading(name)}</a>
        <ul>
          ${ofTag(model, name).map(
            ({ id, method, summary }) => html`<li><a href="#${id}">${methodMark(method)} ${summary}</a></li>`,
          )}
        </ul>
      </li>`,
  )
  return html`<nav class="contents" id="contents" aria-label="Contents" popover>
    <button class="close" type="button" popovertarget="contents" popovertargetaction="hide">Close</button>
    ${search()}
    <ul id="chapters">
      <li class="label">About it all</li>
      ${chapters.map(item)} ${item(['from-the-shell', 'From the shell'])}${item(['head', 'HEAD'])}
      ${item(['answers-of-all', 'Answers of all'])} ${item(['versions', 'Versions'])}
      <li class="label">Operations</li>
      ${tags}
      <li class="label">Values in JSON</li>
      ${item(['schemas', 'Schemas'])}
    </ul>
  </nav>`
}
