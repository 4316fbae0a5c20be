/**
 * Refuses statements that return one of their own parameters, because each server chooses the type of such a column.
 * MySQL from 8.0.22 on returns bytes as text, and loses those that are not UTF-8.
 */
import { Connection } from '../../src/data/database/connection/connection.ts'
import type { Sql } from '../../src/data/database/connection/sql.ts'

/** A parameter without an expression around it, with a name or without. */
const BARE = /^\?(?: AS \w+)?$/i

/** The keywords that end a select list. */
const ENDS = /^(?:FROM|WHERE|GROUP|HAVING|ORDER|LIMIT|UNION|INTO|ON)$/i

/**
 * The first item of a select list that is only a parameter; undefined if there is none. An INSERT may select parameters:
 * they get the types of its columns.
 */
export function echoedParameter(text: string): string | undefined {
  const isInsert = /^\s*INSERT/i.test(text)
  /** The current item of each list, outermost first; undefined outside of lists. */
  const items: (string | undefined)[] = [undefined]
  let found: string | undefined
  const endItem = (): void => {
    const item = items.at(-1)?.trim()
    const isOfInsert = isInsert && items.length === 1
    if (item !== undefined && !isOfInsert && BARE.test(item)) found ??= item
  }
  for (const [token] of text.matchAll(/'(?:[^'\\]|\\.)*'|\w+|\s+|[^]/g)) {
    const depth = items.length - 1
    if (token === '(') items.push(undefined)
    else if (token === ')') {
      endItem()
      items.pop()
      if (items.length === 0) items.push(undefined)
      const outer = items.at(-1)
      if (outer !== undefined) items[items.length - 1] = `${outer}()`
    } else if (/^SELECT$/i.test(token)) items[depth] = ''
    else if (/^DISTINCT$/i.test(token)) continue
    else if (items[depth] === undefined) continue
    else if (ENDS.test(token)) {
      endItem()
      items[depth] = undefined
    } else if (token === ',') {
      endItem()
      items[depth] = ''
    } else items[depth] = `${items[depth] ?? ''}${/\s/.test(token) ? ' ' : token}`
  }
  endItem()
  return found
}

type Send = (this: Connection, statement: Sql, ...rest: unknown[]) => Promise<unknown>

const METHODS = ['all', 'run', 'ids', 'sortedIds'] as const
const passed = new Set<string>()
let isWatching = false

/**
 * From now on checks all statements that this process sends over a connection, and refuses those that echo a parameter.
 */
export function refuseEchoedParameters(): void {
  if (isWatching) return
  isWatching = true
  const methods = Connection.prototype as unknown as Record<string, Send>
  for (const method of METHODS) {
    const send = methods[method] as Send
    Object.assign(Connection.prototype, {
      [method](this: Connection, statement: Sql, ...rest: unknown[]): Promise<unknown> {
        if (!passed.has(statement.text)) {
          const echoed = echoedParameter(statement.text)
          if (echoed !== undefined)
            return Promise.reject(
              new Error(`a statement returns its own parameter, ${echoed}: ${statement.text}`),
            )
          passed.add(statement.text)
        }
        return send.call(this, statement, ...rest)
      },
    })
  }
}
