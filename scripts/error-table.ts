/** Generates the contract's texts about error classes from the table of errors. */
import {
  ERRORS,
  FACTS,
  sentenceAndRemedy,
  sentenceOf,
  type ErrorClass,
  type Fact,
} from '../src/model/errors.ts'
import { isClass } from '../common/sentences.ts'

/** The name of a fact at the end of its header's name. */
export const capitalized = (fact: Fact): string => `${fact.charAt(0).toUpperCase()}${fact.slice(1)}`

/** All classes but that of the error without a class in its answer. */
export const CLASSES = (Object.keys(ERRORS) as ErrorClass[]).filter((name) => name !== 'WrongCredentials')

/** The table of errors in Markdown. */
export function tableOfErrors(notes: Readonly<Record<string, string>>): string {
  const head = ['Class', 'Status', '`X-Service-Message`', 'Facts: `X-Service-…`', 'Notes']
  const rows = CLASSES.map((name) => {
    const { status, facts } = ERRORS[name]
    const named = facts.filter((fact) => fact !== 'message').map(capitalized)
    return [`\`${name}\``, status, sentenceOf(name, PLACEHOLDERS), named.join(', '), notes[name] ?? '']
  })
  const line = (cells: readonly unknown[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const PLACEHOLDERS = {
  ...Object.fromEntries(FACTS.map((fact) => [fact, `{${fact}}`])),
  message: 'what is wrong with the request, and what to do',
}

/** The common cause of a class, from the table of errors. */
export function causeOf(name: string): string {
  if (!isClass(name)) throw new Error(`neither a description nor the table of errors says what ${name} is`)
  const [sentence] = sentenceAndRemedy(name, PLACEHOLDERS)
  return sentence
}
