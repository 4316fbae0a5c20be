/** The page for sending requests: a form for each operation. A script sends the request and shows the answer. */
import { html, page, prose, type Html } from './html.ts'
import { examplesOf, type Model, type Operation, type Parameter } from './model.ts'
import { exampleBodies } from './requests.ts'
import { limitsOf, typeOf } from './schemas.ts'

/** Creates the page; `root` is the prefix of paths on this service. */
export function tryPage(model: Model, root: string): Html {
  const head = html`<script type="module" src="${root}/docs/try.js"></script>`
  const body = html` <main id="content" class="try">
    <h1>Try it</h1>
    <p class="lead">
      Requests from this page go to this service, and what they change is changed. Each operation is described
      in <a href="${root}/docs">the reference</a>.
    </p>
    <noscript
      ><p class="warning">
        This page sends requests with a script, and scripts are switched off. The reference needs none, and
        has each request as a command for the shell.
      </p></noscript
    >
    <div class="work">
      <div>
        <form id="login" class="card" autocomplete="on">
          <fieldset>
            <legend>Sign in</legend>
            <p class="hint">Both empty: the request is the anonymous user’s. The page keeps neither.</p>
            <div class="pair">
              <p>
                <label for="username">User name</label>
                <input id="username" autocomplete="username" autocapitalize="none" spellcheck="false" />
              </p>
              <p>
                <label for="password">Password</label>
                <input id="password" type="password" autocomplete="current-password" />
              </p>
            </div>
          </fieldset>
        </form>
        <p>
          <label for="operation">Operation</label>
          ${operationSelect(model)}
        </p>
        ${model.operations.map((operation) => form(operation, root))}
      </div>
      <div class="outcome" tabindex="0" role="region" aria-label="Request and answer">
        <section aria-labelledby="command-title">
          <h2 id="command-title">As a command</h2>
          <p class="hint">With <code>-u</code>, curl asks for the password.</p>
          <pre><code id="command"></code></pre>
        </section>
        <section aria-labelledby="answer-title">
          <h2 id="answer-title">Answer</h2>
          <div id="answer" aria-live="polite"><p class="hint">Nothing has been sent yet.</p></div>
        </section>
      </div>
    </div>
  </main>`
  return page(root, { title: `${model.title}: try the API`, here: '/docs/try', head, body })
}

/** The operations by tag, and behind them those without a body in their answers. */
const operationSelect = (model: Model): Html =>
  html`<select id="operation">
    ${model.tags.map(
      ({ name }) =>
        html` <optgroup label="${name}">
          ${model.operations.filter((one) => one.tag === name && one.method !== 'HEAD').map(option)}
        </optgroup>`,
    )}
    <optgroup label="HEAD, for the headers alone">
      ${model.operations.filter(({ method }) => method === 'HEAD').map(option)}
    </optgroup>
  </select>`

/** The operation that the page opens on. Every caller may send it, and it changes nothing. */
const FIRST = 'findObjects'

const option = ({ id, method, path, summary }: Operation): Html =>
  html`<option value="${id}" ${id === FIRST ? html`selected` : ''}>${summary} (${method} ${path})</option>`

function form(operation: Operation, root: string): Html {
  const { id, method, path, summary, parameters, body } = operation
  const tail = parameters.find((parameter) => parameter['x-path-tail'])?.name
  const required = parameters.filter((parameter) => parameter.required)
  const optional = parameters.filter((parameter) => !parameter.required)
  return html` <form
    id="try-${id}"
    class="card"
    data-method="${method}"
    data-path="${root}${path}"
    data-tail="${tail ?? ''}"
    aria-labelledby="title-${id}"
    hidden
  >
    <h2 id="title-${id}">${summary}</h2>
    <p class="route">
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code>
      <a href="${root}/docs#${id}">About it<span class="hidden">: ${summary}</span></a>
    </p>
    ${required.map((parameter) => field(parameter, id, root))}
    ${body === undefined ? '' : bodyFields(operation)}
    ${
      optional.length === 0
        ? ''
        : html`<details>
            <summary>Optional arguments</summary>
            ${optional.map((parameter) => field(parameter, id, root))}
          </details>`
    }
    <p><button>Send</button></p>
  </form>`
}

/** A parameter as a field; a required one contains its first example. */
function field(parameter: Parameter, operation: string, root: string): Html {
  const { name, schema = {}, required } = parameter
  const id = `${operation}-${parameter.in}-${name}`
  const value = required === true ? exampleOf(parameter) : []
  const words = schema.type === 'boolean' ? ['true', 'false'] : (schema.enum?.map(String) ?? [])
  const common = html`id="${id}" name="${name}" data-in="${parameter.in}" aria-describedby="${id}-hint"
  ${required === true ? html`data-required` : ''}`
  const control =
    words.length > 0
      ? html`<select ${common}>
          ${[...(required === true ? [] : ['']), ...words].map(
            (word) => html`<option ${word === value[0] ? html`selected` : ''}>${word}</option>`,
          )}
        </select>`
      : schema.type === 'array'
        ? html`<textarea ${common} data-lines rows="3" spellcheck="false">${value.join('\n')}</textarea>`
        : html`<input ${common} value="${value[0] ?? ''}" spellcheck="false" autocomplete="off" />`
  return html` <div class="field">
    <label for="${id}"
      ><code>${name}</code>
      <span class="type"
        >${typeOf(schema, `${root}/docs`)} in the
        ${parameter.in}${
          required === true ? ', required' : ''
        }${schema.type === 'array' ? ', one on each line' : ''}${limitsOf(schema)}</span
      ></label
    >
    ${control}
    <div class="hint" id="${id}-hint">${hint(parameter, root)}</div>
  </div>`
}

/** The description of a parameter, and hints for filling it in. */
function hint(parameter: Parameter, root: string): Html {
  const { name, required, description = '' } = parameter
  const example = exampleOf(parameter)
  return html`${prose(description)}
  ${name === 'query' ? html`<p><a href="${root}/docs#queries">The query language</a></p>` : ''}
  ${required !== true && example.length > 0 ? html`<p>For example <code>${example.join(', ')}</code>.</p>` : ''}`
}

/** The first example of a parameter; a list may have several members. */
const exampleOf = (parameter: Parameter): string[] =>
  [examplesOf(parameter)[0]?.value ?? []].flat().map(String)

function bodyFields(operation: Operation): Html {
  const { id, body } = operation
  const examples = exampleBodies(operation)
  const [first] = examples
  const mediaTypes = Object.keys(body?.content ?? {})
  const choices = examples.map(
    ({ summary, contentType, text }) =>
      html`<option data-type="${contentType}" value="${text}">${summary}</option>`,
  )
  return html` <div class="field">
      <label for="${id}-type"><code>Content-Type</code></label>
      <input
        id="${id}-type"
        data-in="type"
        value="${first?.contentType ?? mediaTypes[0] ?? ''}"
        spellcheck="false"
        autocomplete="off"
      />
    </div>
    ${
      examples.length < 2
        ? ''
        : html`<div class="field">
            <label for="${id}-examples">Examples of the body</label>
            <select id="${id}-examples" data-in="example">
              ${choices}
            </select>
          </div>`
    }
    <div class="field">
      <label for="${id}-body">Body</label>
      <textarea id="${id}-body" data-in="body" rows="5" spellcheck="false" aria-describedby="${id}-body-hint">
${first?.text}</textarea>
      <div class="hint" id="${id}-body-hint">${prose(body?.description ?? '')}</div>
    </div>`
}
