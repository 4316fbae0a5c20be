/** Checking queries for those who build them. */
import { checkQuery as check } from '../data/operations/check-query.ts'
import { checkedQuery } from '../http/answer/search-representations.ts'
import { illegalityOf, readQuery } from '../query/parse.ts'
import type { Handler } from '../http/handler.ts'

/** POST /search/check */
export const checkQuery: Handler<'checkQuery'> = async ({
  body,
  queryLimits,
  store,
  caller,
  signal,
  reply,
}) => {
  const query = readQuery(body.query, queryLimits)
  if ('error' in query) {
    const { errorClass, sentence } = query.error
    const error = { class: errorClass, message: sentence, offset: query.offset }
    return reply({ status: 200, json: { valid: false, nodes: [], error } })
  }
  const nodes = await check({ store, caller, signal }, { query, upTo: body.countUpTo, illegalityOf })
  return reply({ status: 200, json: checkedQuery(nodes) })
}
