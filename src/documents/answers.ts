/** The answers of operations: what every operation may answer is said once, and each operation has the rest. */
import { html, prose, type Html } from './html.ts'
import type { Answer, Operation } from './model.ts'
import { typeOf } from './schemas.ts'

const isError = ({ status }: Answer): boolean => Number(status) >= 400

/** A line of a description that says why errors of some classes are answered. */
const CAUSE = /^- ((?:`\w+`(?:, )?)+): .*?(?=[;.]?$)/

/** A description in its parts: what is said before the causes, and the causes without what ends their lines. */
function partsOf({ description }: Answer): { text: string; causes: string[] } {
  const lines = description.split('\n')
  const causes = lines.flatMap((line) => CAUSE.exec(line)?.[0] ?? [])
  return { text: lines.filter((line) => !CAUSE.test(line)).join('\n'), causes }
}

/**
 * The errors that every operation may answer, one for each status that all of them have: the shared answer that most of
 * them give, of classes that most of them have.
 */
export function commonErrors(operations: readonly Operation[]): Answer[] {
  const errors = operations.flatMap(({ answers }) => answers.filter(isError))
  const statuses = [...new Set(errors.map(({ status }) => status))].sort()
  return statuses.flatMap((status) => {
    const answers = errors.filter((answer) => answer.status === status)
    const isUsual = (name: string): boolean =>
      answers.filter(({ classes }) => classes.includes(name)).length > operations.length / 2
    const shared = answers.filter((answer) => answer.shared !== undefined && answer.classes.every(isUsual))
    const often = (answer: Answer): number => shared.filter((one) => one.shared === answer.shared).length
    const [first] = shared.sort((one, other) => often(other) - often(one))
    return first === undefined || answers.length < operations.length ? [] : [first]
  })
}

/** The answers of an operation without what is said of all; of a status that has more causes, these are left. */
export function ownAnswers({ answers }: Operation, common: readonly Answer[]): Answer[] {
  return answers.flatMap((answer) => {
    const known = common.find(({ status }) => status === answer.status)
    return known === undefined ? [answer] : without(answer, known)
  })
}

function without(answer: Answer, known: Answer): Answer[] {
  if (answer.shared === known.shared) return []
  const said = partsOf(known)
  const { text, causes } = partsOf(answer)
  const isSaid = (cause: string): boolean =>
    said.causes.includes(cause) ||
    (said.causes.length === 0 && known.classes.some((name) => isOf(cause, name)))
  const left = causes.filter((cause) => !isSaid(cause))
  if (causes.length > 0 && left.length === 0) return []
  return [{ ...answer, description: left.length === 0 ? text : `${text}\n${left.join(';\n')}.` }]
}

const isOf = (cause: string, errorClass: string): boolean => cause.startsWith(`- \`${errorClass}\`:`)

/** The headers that all of these answers have. */
export const commonHeaders = (answers: readonly Answer[]): string[] =>
  Object.keys(answers[0]?.headers ?? {}).filter((name) =>
    answers.every(({ headers = {} }) => name in headers),
  )

/** Names of headers as a list in a sentence. */
export const headerList = (names: readonly string[]): Html =>
  html`${names.flatMap((name, i) => [i === 0 ? '' : ', ', html`<code>${name}</code>`])}`

/** Answers as a list; `unsaid` are the headers that are not named at each. */
export const answerList = (answers: readonly Answer[], unsaid: readonly string[]): Html =>
  html`<dl class="answers">
    ${answers.map((answer) => {
      const { status, description, headers = {}, content = {} } = answer
      const names = Object.keys(headers).filter((name) => !unsaid.includes(name))
      return html` <div>
        <dt>${status}</dt>
        <dd>
          ${prose(description)}
          ${names.length === 0 ? '' : html`<p class="headers">Headers: ${headerList(names)}</p>`}
          ${Object.entries(content).map(
            ([mediaType, { schema = {} }]) =>
              html`<p><code>${mediaType}</code>: <span class="type">${typeOf(schema)}</span></p>`,
          )}
        </dd>
      </div>`
    })}
  </dl>`
