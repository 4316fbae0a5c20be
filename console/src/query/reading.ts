/** Parses a text with the parser of the service, which the console includes. */
import type { QueryNode } from '../../../src/query/ast.ts'
import { Flaw, QUERY_LIMITS } from '../../../src/query/lexer.ts'
import { read } from '../../../src/query/read.ts'

/** The tree of a query, or the position and reason of a syntax error. */
export type Reading = { readonly root: QueryNode } | { readonly flaw: Flaw }

/** The result for the latest text, because several parts of the page parse the same one. */
let latest: { readonly text: string; readonly reading: Reading } | undefined

/** Parses a text by the grammar alone; only the service knows whether the tags exist. */
export function readText(text: string): Reading {
  if (latest?.text !== text) latest = { text, reading: readNew(text) }
  return latest.reading
}

function readNew(text: string): Reading {
  try {
    return { root: read(text, QUERY_LIMITS) }
  } catch (error) {
    if (error instanceof Flaw) return { flaw: error }
    throw error
  }
}
