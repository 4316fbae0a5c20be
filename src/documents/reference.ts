/** The reference: the whole contract as one page. It needs no script; one helps to find things. */
import { answerList, commonErrors, commonHeaders, headerList, ownAnswers } from './answers.ts'
import { contents, heading, methodMark, ofTag } from './contents.ts'
import { html, page, prose, type Html } from './html.ts'
import { examplesOf, type Answer, type Model, type Operation, type Parameter, type Schema } from './model.ts'
import { exampleBodies, exampleCurl } from './requests.ts'
import { json, limitsOf, schemaDetails, typeOf } from './schemas.ts'

/** The inputs of the sections of the page. */
interface Setting {
  /** The prefix of paths on this service. */
  readonly root: string
  /** That of absolute addresses. */
  readonly base: string
  /** The errors that are not listed for each operation. */
  readonly common: readonly Answer[]
  /** The headers that are not named for each success. */
  readonly unsaid: readonly string[]
}

/** Creates the page; `root` is the prefix of paths on this service, `base` that of absolute addresses. */
export function referencePage(model: Model, root: string, base: string): Html {
  const successes = model.operations.flatMap(({ answers }) => answers.filter(isSuccess))
  const setting = {
    root,
    base,
    common: commonErrors(model.operations),
    unsaid: commonHeaders(successes),
  }
  const head = html`<script type="module" src="${root}/docs/reference.js"></script>`
  const body = html` <div class="columns">
    <nav class="tools" aria-label="This page">
      <button type="button" popovertarget="contents">Contents</button>
      <span id="place"></span>
      <a href="#content">Top<span class="hidden"> of the page</span></a>
    </nav>
    ${contents(model)}
    <main id="content">
      <h1>${model.title} <small>${model.version}</small></h1>
      <p class="lead">
        The reference of the API, made from its contract. Any of it can be tried on
        <a href="${root}/docs/try">a page of its own</a>.
      </p>
      ${prose(model.description)} ${shellSection()} ${headSection()} ${commonSection(setting)}
      ${versionsSection(model, root)}
      ${model.tags.map(
        ({ name, description }) =>
          html` <section aria-labelledby="operations-${name}">
            <h2 id="operations-${name}">${heading(name)}</h2>
            ${prose(description)} ${overview(ofTag(model, name))}
            ${ofTag(model, name).map((operation) => operationSection(operation, model, setting))}
          </section>`,
      )}
      <section>
        <h2 id="schemas">Schemas</h2>
        ${Object.entries(model.schemas).map(schemaSection)}
      </section>
    </main>
  </div>`
  return page(root, { title: `${model.title}: reference of the API`, here: '/docs', head, body })
}

const isSuccess = ({ status }: Answer): boolean => Number(status) < 400

const shellSection = (): Html =>
  html` <section>
    <h2 id="from-the-shell">From the shell</h2>
    <p>
      Every operation has an example for <code>curl</code>. They take the user name and the password from a
      variable; what everybody may do works without <code>-u</code>, too.
    </p>
    <pre><code>export GLOSS_LOGIN=alice:wonderland</code></pre>
  </section>`

const headSection = (): Html =>
  html` <section>
    <h2 id="head">HEAD</h2>
    <p>
      Every GET below has a HEAD beside it, with the same arguments, checks, statuses and headers, and without
      a body. <code>curl -I</code> in place of <code>curl</code> sends it. It is an operation of its own in
      the contract, but has no section of its own here.
    </p>
  </section>`

const commonSection = ({ common, unsaid }: Setting): Html =>
  html` <section>
    <h2 id="answers-of-all">Answers that every operation gives</h2>
    <p>
      The operations below do not repeat these. Where they have more causes of the same status, they list
      those alone; the headers of errors are listed under <a href="#errors">Errors</a>. Every success has
      ${headerList(unsaid)}.
    </p>
    ${answerList(common, [])}
  </section>`

/** The versions of the contract that there are, each in its forms. */
function versionsSection({ operations }: Model, root: string): Html {
  const forms = operations.filter(
    ({ method, parameters }) => method === 'GET' && parameters.some(({ name }) => name === 'version'),
  )
  const versions = forms[0]?.parameters.find(({ name }) => name === 'version')?.schema?.enum ?? []
  return html` <section>
    <h2 id="versions">Versions</h2>
    <p>The contract of each version, as it was published:</p>
    <ul>
      ${versions.map(
        (version) =>
          html`<li>
            ${String(version)}:
            ${forms.map(({ path }) => html` <a href="${root}${path}?version=${String(version)}">${path}</a>`)}
          </li>`,
      )}
    </ul>
  </section>`
}

const overview = (operations: readonly Operation[]): Html =>
  html` <ul class="overview">
    ${operations.map(
      ({ id, method, path, summary }) =>
        html` <li>
          <a href="#${id}">${methodMark(method)} <code>${path}</code></a> <span>${summary}</span>
        </li>`,
    )}
  </ul>`

function operationSection(operation: Operation, model: Model, setting: Setting): Html {
  const { id, method, path, summary, description, needsLogin, parameters } = operation
  const head = model.operations.find(
    (other) => method === 'GET' && other.method === 'HEAD' && other.path === path,
  )
  return html` <article class="operation" id="${id}" aria-labelledby="${id}-title">
    <div>
      <h3 id="${id}-title">${summary}</h3>
      <p class="route">
        ${methodMark(method)} <code>${path}</code>
        ${head === undefined ? '' : html`<a class="method" id="${head.id}" href="#head">HEAD<span class="hidden">: ${head.summary}</span></a>`}
        <a class="try" href="${setting.root}/docs/try#${id}"
          >Try it<span class="hidden">: ${summary}</span></a
        >
      </p>
      ${prose(description)} ${needsLogin ? html`<p>Credentials are required.</p>` : ''}
      <div class="more">
        ${
          parameters.length === 0
            ? ''
            : html`<h4>Arguments</h4>
                <dl>${parameters.map(argument)}</dl>`
        }
        ${bodyPart(operation)} ${answersPart(operation, setting)}
      </div>
    </div>
    <div class="samples more">${samples(operation, setting)}</div>
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

function bodyPart({ body }: Operation): Html {
  if (body === undefined) return html``
  const { description = '', content } = body
  const kinds = Object.entries(content).map(
    ([mediaType, { schema = {} }]) =>
      html` <p><code>${mediaType}</code>: <span class="type">${typeOf(schema)}</span></p>`,
  )
  return html`<h4>Body</h4>
    ${prose(description)}${kinds}`
}

function answersPart(operation: Operation, { common, unsaid }: Setting): Html {
  const answers = ownAnswers(operation, common)
  const errors = answers.filter((answer) => !isSuccess(answer))
  const statuses = errors.map(({ status }) => status).join(', ')
  const ofErrors = errors.flatMap(({ headers = {} }) => Object.keys(headers))
  return html`<h4>Answers</h4>
    ${answerList(answers.filter(isSuccess), unsaid)}
    <details>
      <summary>Errors: ${statuses === '' ? 'those of every operation' : statuses}</summary>
      ${answerList(errors, ofErrors)}
      <p>And <a href="#answers-of-all">those that every operation gives</a>.</p>
    </details>`
}

/** The command, then examples of bodies and answers: the first answer is shown, all else is folded. */
function samples(operation: Operation, { base }: Setting): Html {
  const bodies = exampleBodies(operation).slice(1)
  const [first, ...others] = operation.answers.flatMap(({ status, content = {} }) =>
    Object.entries(content).flatMap(([mediaType, one]) =>
      examplesOf(one).map(({ value }) => ({ summary: `${status}, ${mediaType}`, value })),
    ),
  )
  return html`<h4>With curl</h4>
    <pre class="curl"><code>${exampleCurl(operation, base)}</code></pre>
    ${more(
      'body',
      bodies.map(({ summary, text }) => ({ summary, value: text })),
    )}
    ${
      first === undefined
        ? ''
        : html`<h4>Answer</h4>
            <p class="caption">${first.summary}</p>
            ${json(first.value)}`
    }
    ${more('answer', others)}`
}

/** Further examples, folded; nothing if there are none. */
function more(what: string, examples: readonly { summary: string; value: unknown }[]): Html {
  if (examples.length === 0) return html``
  return html`<details>
    <summary>
      ${examples.length} more
      ${what === 'body' && examples.length > 1 ? 'bodies' : `${what}${examples.length > 1 ? 's' : ''}`}
    </summary>
    ${examples.map(
      ({ summary, value }) =>
        html`<p class="caption">${summary}</p>
          ${json(value)}`,
    )}
  </details>`
}

/** A schema, folded. Its id is inside, so that following a link to it opens it. */
const schemaSection = ([name, schema]: readonly [string, Schema]): Html =>
  html` <details class="schema">
    <summary><h3>${name}</h3></summary>
    <div id="schema-${name}">${schemaDetails(schema)}</div>
  </details>`
