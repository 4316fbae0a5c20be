/** The reasonable forms of SQL for a query, as an expert for the tables and indexes would write them. */
import { MYSQL, SQLITE, type Dialect } from '../src/data/database/connection/dialects.ts'
import { SYSTEM_TAGS } from '../src/data/store/tables.ts'
import { KEY, sha256, sortKey } from '../src/data/values/encoding.ts'
import { itemTerm, wordRange, wordTerm } from '../src/data/values/terms.ts'
import { parsePrimitive } from '../src/model/tag-value.ts'
import { patternOf, type PatternWord } from '../src/model/words.ts'
import type { Condition, Question } from './shapes.ts'

/** A database to query by hand. */
export interface Target {
  readonly dialect: Dialect
  readonly tagId: (path: string) => number
}

export const dialectOf = (kind: 'sqlite' | 'mysql'): Dialect => (kind === 'sqlite' ? SQLITE : MYSQL)

/**
 * Statements that find the `object_id`s, ascending and without duplicates as the service returns them: with set
 * operators, with probes from each possible leading operand, and with joins in each order; each with either index or the
 * planner's choice.
 */
export const formsOf = (question: Question, target: Target): string[] =>
  unorderedForms(question, target).map((form) => `${form} ORDER BY 1`)

/** Statements that count the matches of a query, by default all of them. */
export const countsOf = (question: Question, target: Target, upTo?: number): string[] =>
  unorderedForms(question, target).map(
    (form) => `SELECT count(*) AS n FROM (${form}${upTo === undefined ? '' : ` LIMIT ${upTo}`}) AS found`,
  )

/** The words of a query for words in sequence, which SQL alone cannot answer; undefined for any other query. */
export function phraseOf(question: Question): PatternWord[] | undefined {
  const words = question.kind === 'matches' ? patternOf(question.text) : []
  return words.length > 1 ? words : undefined
}

/**
 * Statements that find the objects with all words of a phrase, ascending, and their texts. The benchmark then checks the
 * sequence of the words itself, because SQL does not know the words of a text.
 */
export function phraseForms(
  tag: string,
  words: readonly PatternWord[],
  { dialect, tagId }: Target,
): string[] {
  const id = tagId(tag)
  const isOf = (alias: string, { word }: PatternWord): string =>
    `${alias}.tag_id = ${id} AND ${alias}.term = ${literal(wordTerm(word))}`
  const text = `tag_values v ${dialect.useIndex('PRIMARY').text} ON v.tag_id = ${id} AND v.object_id = a.object_id`
  return words.flatMap((leader) => {
    const others = words.filter((word) => word !== leader)
    const joins = others.map(
      (word, i) =>
        `${dialect.thenJoin.text} terms o${i} ON ${isOf(`o${i}`, word)} AND o${i}.object_id = a.object_id`,
    )
    const probes = others.map(
      (word, i) =>
        ` AND EXISTS (SELECT 1 FROM terms o${i} WHERE ${isOf(`o${i}`, word)} AND o${i}.object_id = a.object_id)`,
    )
    const [begin, end] = ['SELECT a.object_id, v.content FROM terms a', `WHERE ${isOf('a', leader)}`]
    return [
      `${begin} ${joins.join(' ')} ${dialect.thenJoin.text} ${text} ${end} ORDER BY a.object_id`,
      `${begin} ${dialect.thenJoin.text} ${text} ${end}${probes.join('')} ORDER BY a.object_id`,
    ]
  })
}

function unorderedForms(question: Question, target: Target): string[] {
  const forms = INDEXES.flatMap((index) => {
    const writer = new FormWriter(target, index)
    return [
      writer.sets(question),
      ...writer.joins(question),
      ...writer.probes(question, 'exists'),
      ...writer.probes(question, 'in'),
    ]
  })
  return [...new Set([...byAbout(question), ...forms])]
}

type Index = 'PRIMARY' | 'tag_values_by_value'
const INDEXES: readonly (Index | undefined)[] = [undefined, 'tag_values_by_value', 'PRIMARY']

/** Bytes as a literal for both databases. */
export const literal = (bytes: Buffer): string => `x'${bytes.toString('hex')}'`

/** About values have a table of their own. */
function byAbout(question: Question): string[] {
  if (question.kind !== 'compare' || question.tag !== SYSTEM_TAGS.about.path) return []
  const hash = sha256(JSON.parse(question.json) as string)
  return [`SELECT object_id FROM about_values WHERE about_hash = ${literal(hash)}`]
}

const OPERATORS = { and: 'INTERSECT', or: 'UNION', except: 'EXCEPT' } as const

/** The table of a condition, and its test of a row with an alias. */
interface Source {
  readonly table: string
  readonly hint: string
  /** Whether one object may match several times: with several words of the same prefix. */
  readonly repeats: boolean
  readonly where: (alias: string) => string
}

/** A leading condition, and the other conditions for its objects. */
interface Plan {
  readonly leader: Condition
  readonly others: readonly { readonly question: Question; readonly not: boolean }[]
}

class FormWriter {
  readonly #target: Target
  readonly #index: Index | undefined
  #aliases = 0

  constructor(target: Target, index: Index | undefined) {
    this.#target = target
    this.#index = index
  }

  /** The form with set operators. */
  sets(question: Question): string {
    if (!('parts' in question)) return this.#select(question)
    const operands = question.parts.map((part) =>
      'parts' in part ? `SELECT object_id FROM (${this.sets(part)}) AS ${this.#alias()}` : this.#select(part),
    )
    return operands.join(` ${OPERATORS[question.kind]} `)
  }

  /** The forms in which one condition leads, and the database looks the others up for each of its objects. */
  probes(question: Question, by: 'exists' | 'in'): string[] {
    if (!('parts' in question)) return []
    if (question.kind !== 'or') return plans(question).map((plan) => this.#probing(plan, by))
    // An operand excludes the matches of the earlier ones.
    const operands = question.parts.map((part, i) => {
      const [plan] = plans(part)
      const earlier = question.parts.slice(0, i).map((other) => ({ question: other, not: true }))
      return plan && this.#probing({ ...plan, others: [...plan.others, ...earlier] }, by)
    })
    return operands.includes(undefined) ? [] : [operands.join(' UNION ALL ')]
  }

  /** The forms of an `and` that join its conditions in their order; each of them leads once. */
  joins(question: Question): string[] {
    if (!('parts' in question) || question.kind !== 'and') return []
    return plans(question)
      .filter(({ others }) => others.every((other) => !('parts' in other.question) && !other.not))
      .map(({ leader, others }) => {
        const { table, hint, where, repeats } = this.#source(leader)
        const joined = others.map(({ question: other }) => {
          const alias = this.#alias()
          const source = this.#source(other as Condition, 'PRIMARY')
          const join = this.#target.dialect.thenJoin.text
          return `${join} ${source.table} ${alias} ${source.hint} ON ${source.where(alias)} AND ${alias}.object_id = a.object_id`
        })
        return `SELECT ${repeats ? 'DISTINCT ' : ''}a.object_id FROM ${table} a ${hint} ${joined.join(' ')} WHERE ${where('a')}`
      })
  }

  #alias(): string {
    return `s${++this.#aliases}`
  }

  #probing({ leader, others }: Plan, by: 'exists' | 'in'): string {
    const { table, hint, where, repeats } = this.#source(leader)
    const rest = others.map(({ question, not }) => `${not ? 'NOT ' : ''}${this.#predicate(question, by)}`)
    return `SELECT ${repeats ? 'DISTINCT ' : ''}a.object_id FROM ${table} a ${hint} WHERE ${[where('a'), ...rest].join(' AND ')}`
  }

  #predicate(question: Question, by: 'exists' | 'in'): string {
    if ('parts' in question) {
      const operands = question.parts.map((part) => this.#predicate(part, by))
      const joint = { and: ' AND ', or: ' OR ', except: ' AND NOT ' }[question.kind]
      return `(${operands.join(joint)})`
    }
    if (by === 'in') return `a.object_id IN (${this.#select(question)})`
    const alias = this.#alias()
    const { table, hint, where } = this.#source(question, 'PRIMARY')
    return `EXISTS (SELECT 1 FROM ${table} ${alias} ${hint} WHERE ${alias}.object_id = a.object_id AND ${where(alias)})`
  }

  #select(condition: Condition): string {
    const { table, hint, where, repeats } = this.#source(condition)
    const alias = this.#alias()
    return `SELECT ${repeats ? 'DISTINCT ' : ''}${alias}.object_id FROM ${table} ${alias} ${hint} WHERE ${where(alias)}`
  }

  #source(condition: Condition, index: Index | undefined = this.#index): Source {
    const tagId = this.#target.tagId(condition.tag)
    if (condition.kind === 'contains')
      return words(tagId, (alias) => `${alias}.term = ${literal(itemTerm(condition.text))}`)
    if (condition.kind === 'matches') return this.#matching(tagId, condition.text)
    const hint = index === undefined ? '' : this.#target.dialect.useIndex(index).text
    const test = 'op' in condition ? comparison(condition.op, condition.json) : () => ''
    const where = (alias: string): string => `${alias}.tag_id = ${tagId}${test(alias)}`
    return { table: 'tag_values', hint, repeats: false, where }
  }

  #matching(tagId: number, text: string): Source {
    const [first, ...others] = patternOf(text)
    if (first === undefined) throw new Error(`there is no word in ${text}`)
    if (others.length > 0) throw new Error(`no SQL finds the phrase ${text}`)
    if (!first.prefix) return words(tagId, (alias) => `${alias}.term = ${literal(wordTerm(first.word))}`)
    const range = wordRange(first.word)
    const where = (alias: string): string =>
      `${alias}.term >= ${literal(range.first)} AND ${alias}.term <= ${literal(range.last)}`
    return { ...words(tagId, where), repeats: true }
  }
}

const words = (tagId: number, where: (alias: string) => string): Source => ({
  table: 'terms',
  hint: '',
  repeats: false,
  where: (alias) => `${alias}.tag_id = ${tagId} AND ${where(alias)}`,
})

function comparison(op: string, json: string): (alias: string) => string {
  const key = sortKey(parsePrimitive(json))
  const type = key[0] ?? 0
  if (type !== KEY.number && type !== KEY.string) throw new Error(`no comparison with ${json}`)
  // One bound on each side: of two on the same side, planners use only the first for the range of an index.
  const otherBound = op.startsWith('<')
    ? `>= ${literal(Buffer.of(type))}`
    : op.startsWith('>')
      ? `< ${literal(Buffer.of(type + 1))}`
      : undefined
  return (alias) =>
    ` AND ${alias}.sort_key ${op === '!=' ? '<>' : op} ${literal(key)}` +
    (otherBound === undefined ? '' : ` AND ${alias}.sort_key ${otherBound}`)
}

/** The forms with one leading condition; an `or` has none. */
function plans(question: Question): Plan[] {
  if (!('parts' in question)) return [{ leader: question, others: [] }]
  if (question.kind === 'or') return []
  const leading = question.kind === 'and' ? question.parts : question.parts.slice(0, 1)
  return leading.flatMap((part) => {
    const others = question.parts
      .filter((other) => other !== part)
      .map((other) => ({ question: other, not: question.kind === 'except' }))
    return plans(part).map((plan) => ({ ...plan, others: [...plan.others, ...others] }))
  })
}
