/** Completing what a user types: paths, and values of a tag. */
import { suggestValues } from '../data/operations/frequent-values.ts'
import { suggestPaths } from '../data/operations/suggestions.ts'
import { valueSuggestions } from '../http/answer/search-representations.ts'
import type { Handler } from '../http/handler.ts'

/** GET /search/suggest */
export const getSuggestions: Handler<'getSuggestions'> = async ({ args, store, caller, signal, reply }) => {
  const { tag: path, text, limit } = args
  const asking = { store, caller, signal, limit }
  if (path === undefined) {
    const { suggestions, complete } = await suggestPaths(asking, text)
    return reply({ status: 200, json: { suggestions: [...suggestions], complete } })
  }
  return reply({ status: 200, json: valueSuggestions(await suggestValues(asking, { path, text })) })
}
