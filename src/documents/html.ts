/** HTML: templates that escape every text inserted into them, and the Markdown of the contract as HTML. */
import MarkdownIt from 'markdown-it'

/** Text that is already HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | undefined

/**
 * A template whose values are escaped, unless they are HTML; undefined yields nothing, a list its items one after the
 * other.
 */
export function html(strings: TemplateStringsArray, ...values: (Piece | readonly Piece[])[]): Html {
  const pieces = values.map((value) => [value].flat().map(escaped).join(''))
  return new Html(String.raw({ raw: strings }, ...pieces))
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(piece: Piece): string {
  if (piece instanceof Html) return piece.text
  return String(piece ?? '').replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}

// `html` is off, so that tags in the text are displayed.
const markdown = new MarkdownIt({ html: false })

/** The id of a heading in the contract's text. */
export const slug = (heading: string): string => heading.toLowerCase().replaceAll(/\W+/g, '-')

markdown.renderer.rules['heading_open'] = (tokens, i, options, _env, self) => {
  tokens[i]?.attrSet('id', slug(tokens[i + 1]?.content ?? ''))
  return self.renderToken(tokens, i, options)
}
// A table wider than the screen can be scrolled, also with the keyboard, and is labelled with the name of its chapter.
markdown.renderer.rules['table_open'] = (tokens, i) => {
  const heading = tokens.findLastIndex(({ type }, at) => type === 'heading_open' && at < i)
  const label = html`Table of ${tokens[heading + 1]?.content}`.text
  return `<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>`
}
markdown.renderer.rules['table_close'] = () => '</table></div>'

// The row of an error class, which says a status behind its name, is where `Link` of such an error leads.
markdown.renderer.rules['tr_open'] = (tokens, i, options, _env, self) => {
  const [name, status] = [tokens[i + 2]?.content ?? '', tokens[i + 5]?.content ?? '']
  const errorClass = /^\d{3}$/.test(status) ? /^`(\w+)`$/.exec(name)?.[1] : undefined
  if (errorClass !== undefined) tokens[i]?.attrSet('id', `error-${errorClass}`)
  return self.renderToken(tokens, i, options)
}

/** Markdown as HTML, in paragraphs. */
export const prose = (text: string): Html => new Html(markdown.render(text))

/** A page of the reference; `root` is the prefix of paths on this service. */
export function page(
  root: string,
  { title, here, head, body }: { title: string; here: string; head?: Html; body: Html },
): Html {
  const links = [
    ['/docs', 'Reference'],
    ['/docs/try', 'Try it'],
    ['/openapi.json', 'openapi.json'],
    ['/openapi.yaml', 'openapi.yaml'],
    ['/openapi-3.0.json', 'openapi-3.0.json'],
  ].map(
    ([path, name]) =>
      html`<li><a href="${root}${path}" ${here === path ? html`aria-current="page"` : ''}>${name}</a></li>`,
  )
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" type="image/svg+xml" href="${root}/docs/icon.svg" />
        <link rel="stylesheet" href="${root}/docs/style.css" />
        ${head}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="bar">
          <nav aria-label="Pages">
            <ul>
              ${links}
            </ul>
          </nav>
        </header>
        ${body}
      </body>
    </html> `
}
