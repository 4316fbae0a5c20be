/** The reference: the whole contract as one page without a script. */
import { html, page, prose, slug, type Html } from './html.ts'
import { examplesOf, type Answer, type Model, type Operation, type Parameter } from './model.ts'
import { exampleBodies, exampleCurl } from './requests.ts'
import { json, limitsOf, schemaDetails, typeOf } from './schemas.ts'

/** Creates the page; `root` is the prefix of paths on this service, `base` that of absolute addresses. */
export function referencePage(model: Model, root: string, base: string): Html {
  const everywhere = sharedAnswers(model.operations)
  const render = (operation: Operation): Html =>
    operationSection(operation, { root, base, everywhere, model })
  const body = html` <div class="columns">
    <nav class="contents" aria-label="Contents">${contents(model)}</nav>
    <main id="content">
      <h1>${model.title} <small>${model.version}</small></h1>
      <p class="lead">
        The reference of the API, made from its contract. Any of it can be tried on
        <a href="${root}/docs/try">a page of its own</a>.
      </p>
      ${prose(model.description)} ${shellSection()}
      <section>
        <h2 id="answers-of-all">Answers that every operation gives</h2>
        <p>The operations below do not repeat these.</p>
        ${answerList(everywhere)}
      </section>
      ${model.tags.map(
        ({ name, description }) =>
          html` <section aria-labelledby="operations-${name}">
            <h2 id="operations-${name}">${heading(name)}</h2>
            ${prose(description)} ${overview(ofTag(model, name))} ${ofTag(model, name).map(render)}
          </section>`,
      )}
      <section>
        <h2 id="schemas">Schemas</h2>
        ${Object.entries(model.schemas).map(
          ([name, schema]) =>
            html` <section class="schema">
              <h3 id="schema-${name}">${name}</h3>
              ${schemaDetails(schema)}
            </section>`,
        )}
      </section>
    </main>
  </div>`
  return page(root, { title: `${model.title}: reference of the API`, here: '/docs', body })
}

const ofTag = ({ operations }: Model, name: string): Operation[] =>
  operations.filter(({ tag }) => tag === name)

const heading = (tag: string): string => tag.slice(0, 1).toUpperCase() + tag.slice(1)

const methodMark = (method: string): Html =>
  html`<span class="method ${method.toLowerCase()}">${method}</span>`

function contents(model: Model): Html {
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
  return html`<ul>
    ${chapters.map(item)}
    ${item(['from-the-shell', 'From the shell'])}${item(['answers-of-all', 'Answers of all'])}
    ${tags}${item(['schemas', 'Schemas'])}
  </ul>`
}

const shellSection = (): Html =>
  html` <section>
    <h2 id="from-the-shell">From the shell</h2>
    <p>
      Every operation has an example for <code>curl</code>. They take the user name and the password from a
      variable; what everybody may do works without <code>-u</code>, too.
    </p>
    <pre><code>export GLOSS_LOGIN=alice:wonderland</code></pre>
  </section>`

const overview = (operations: readonly Operation[]): Html =>
  html` <ul class="overview">
    ${operations.map(
      ({ id, method, path, summary }) =>
        html` <li>
          <a href="#${id}">${methodMark(method)} <code>${path}</code></a> <span>${summary}</span>
        </li>`,
    )}
  </ul>`

interface Setting {
  readonly root: string
  readonly base: string
  /** The answers that are not listed for each operation. */
  readonly everywhere: readonly Answer[]
  readonly model: Model
}

function operationSection(operation: Operation, { root, base, everywhere }: Setting): Html {
  const { id, method, path, summary, description, needsLogin, parameters, body, answers } = operation
  const known = new Set(everywhere.map(({ shared }) => shared))
  return html` <article class="operation" id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">${summary}</h3>
    <p class="route">
      ${methodMark(method)} <code>${path}</code>
      <a class="try" href="${root}/docs/try#${id}">Try it<span class="hidden">: ${summary}</span></a>
    </p>
    ${prose(description)} ${needsLogin ? html`<p>Credentials are required.</p>` : ''}
    ${
      parameters.length === 0
        ? ''
        : html`<h4>Arguments</h4>
            <dl>${parameters.map(argument)}</dl>`
    }
    ${body === undefined ? '' : bodyPart(operation)}
    <h4>With curl</h4>
    <pre class="curl"><code>${exampleCurl(operation, base)}</code></pre>
    <h4>Answers</h4>
    ${answerList(answers.filter(({ shared }) => shared === undefined || !known.has(shared)))}
    <p>And <a href="#answers-of-all">those that every operation gives</a>.</p>
  </article>`
}

function argument(parameter: Parameter): Html {
  const { name, schema = {}, required, description = '' } = parameter
  const examples = examplesOf(parameter).map(({ value }) => [value].flat().map(String).join(', '))
  return html` <div>
    <dt>
      <code>${name}</code>
      <span class="type"
        >${typeOf(schema)} in the
        ${parameter.in}${required === true ? ', required' : ''}${limitsOf(schema)}</span
      >
    </dt>
    <dd>
      ${prose(description)}${examples.length === 0 ? '' : html`<p>For example ${examples.flatMap((text, i) => [i === 0 ? '' : ' or ', html`<code>${text}</code>`])}.</p>`}
    </dd>
  </div>`
}

function bodyPart(operation: Operation): Html {
  const { description = '', content = {} } = operation.body ?? {}
  const kinds = Object.entries(content).map(
    ([mediaType, { schema = {} }]) =>
      html` <p><code>${mediaType}</code>: <span class="type">${typeOf(schema)}</span></p>
        ${exampleBodies(operation)
          .filter((example) => example.mediaType === mediaType)
          .map(
            ({ summary, text }) =>
              html`<p class="caption">${summary}</p>
                <pre><code>${text}</code></pre>`,
          )}`,
  )
  return html`<h4>Body</h4>
    ${prose(description)}${kinds}`
}

const answerList = (answers: readonly Answer[]): Html =>
  html`<dl class="answers">
    ${answers.map(
      ({ status, description, headers = {}, content = {} }) =>
        html` <div>
          <dt>${status}</dt>
          <dd>
            ${prose(description)}
            ${Object.keys(headers).length === 0 ? '' : html`<p class="headers">Headers: ${Object.keys(headers).flatMap((name, i) => [i === 0 ? '' : ', ', html`<code>${name}</code>`])}</p>`}
            ${Object.entries(content).map(
              ([mediaType, one]) =>
                html`<p><code>${mediaType}</code>: <span class="type">${typeOf(one.schema ?? {})}</span></p>
                  ${examplesOf(one).map(({ value }) => json(value))}`,
            )}
          </dd>
        </div>`,
    )}
  </dl>`

/** The shared answers that every operation has. */
const sharedAnswers = ([first, ...rest]: readonly Operation[]): Answer[] =>
  (first?.answers ?? []).filter(
    ({ shared }) =>
      shared !== undefined && rest.every(({ answers }) => answers.some((answer) => answer.shared === shared)),
  )
