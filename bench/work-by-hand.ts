/** Runs works with hand-written SQL: a statement, and the rest of the work for an answer. */
import type { ByHand, Given } from './by-hand-database.ts'
import { facetsFrom, type GroupRow } from './facets-by-hand.ts'
import type { Work } from './works.ts'
import { textsOf } from '../src/data/values/encoding.ts'
import { phraseMatches, phraseTest } from '../src/model/phrases.ts'
import { parsePrimitive } from '../src/model/tag-value.ts'
import { wordsOf, type PatternWord } from '../src/model/words.ts'

/** The result of a work. */
export interface Done extends Given {
  /** The content of the answer, if it is more than ids or a number. */
  readonly answer?: unknown
}

/** Runs a form of a work. */
export async function runWork(byHand: ByHand, work: Work, form: readonly string[]): Promise<Done> {
  const { phrase, facets } = work
  if (phrase !== undefined) return idsOf(await byHand.rows(form[0] ?? ''), phrase)
  if (facets === undefined) return byHand.run(work.gives, form)
  const [counting = '', ...grouping] = form
  const [[count] = []] = await byHand.rows(counting)
  const groups: GroupRow[] = []
  for (const statement of grouping) groups.push(...((await byHand.rows(statement)) as GroupRow[]))
  const answer = facetsFrom(facets, Number(count), groups, byHand.target)
  return { count: groups.length, bytes: () => Buffer.alloc(0), answer }
}

/** The rows, of an object and its text each, whose text contains the words in sequence. */
function idsOf(rows: readonly unknown[][], phrase: readonly PatternWord[]): Given {
  const mayMatch = phraseTest(phrase)
  const has = (json: string): boolean =>
    mayMatch(json) && [...textsOf(parsePrimitive(json))].some((text) => phraseMatches(wordsOf(text), phrase))
  const found = (rows as [Buffer, Buffer][])
    .filter(([, content]) => has(content.toString()))
    .map(([id]) => id)
  return { count: found.length, bytes: () => Buffer.concat(found) }
}
