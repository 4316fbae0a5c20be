/**
 * No statement may return one of its own parameters: a server decides by itself of which type such a column is. MySQL from
 * 8.0.22 on makes text of bytes, and loses those that are not UTF-8.
 */
import { Connection } from '../../src/data/database/connection/connection.ts'
import type { Sql } from '../../src/data/database/connection/sql.ts'

/** A parameter alone, with a name or without. */
const BARE = /^\?(?: AS \w+)?$/i

/** What ends a list of what is selected. */
const ENDS = /^(?:FROM|WHERE|GROUP|HAVING|ORDER|LIMIT|UNION|INTO|ON)$/i

/**
 * The first item of a list of what is selected that is a parameter and nothing else; undefined if there is none. An INSERT may
 * select parameters: they get the types of its columns.
 */
export function echoedParameter(text: string): string | undefined {
  const isInsert = /^\s*INSERT/i.test(text)
  /** The item that is being read of each list, outermost first; undefined outside of lists. */
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

/** Has all statements that this process sends by a connection looked at from now on, and refused if they echo a parameter. */
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
