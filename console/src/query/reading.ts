/** What a text is to the parser of the service, which is also in the console. */
import type { QueryNode } from '../../../src/query/ast.ts'
import { Flaw, QUERY_LIMITS } from '../../../src/query/lexer.ts'
import { read } from '../../../src/query/read.ts'

/** The tree of a query, or where a text stops being one, and why. */
export type Reading = { readonly root: QueryNode } | { readonly flaw: Flaw }

/** The latest text: several parts of the page read the same one. */
let latest: { readonly text: string; readonly reading: Reading } | undefined

/** Reads a text by the grammar alone: whether there are such tags is for the service to say. */
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
