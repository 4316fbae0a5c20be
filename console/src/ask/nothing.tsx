/** Explains why a query has no matches, and offers other queries. */
import type { JSX } from 'preact'
import { visible } from '../../../common/values.ts'
import { useLoaded } from '../parts/loaded.ts'
import { hrefWith } from '../route.ts'
import { check } from './check.ts'
import { barrenOf, type Barren } from './faults.ts'
import { Marked } from './marked.tsx'

export function Nothing({ query }: { query: string }): JSX.Element {
  const found = useLoaded((signal) => reasonsFor(query, signal), [query])
  const { parts = [], isSingle = false, each } = found.value ?? {}
  const ways = parts.flatMap(({ start, end, without }) =>
    without === undefined ? [] : [{ text: query.slice(start, end), without }],
  )
  return (
    <>
      {!isSingle && parts.length > 0 && (
        <>
          <p>
            {sayingOf(
              parts.length,
              parts.some((part) => part.isEmpty),
            )}
          </p>
          <Marked query={query} parts={parts} />
        </>
      )}
      {!isSingle && each !== undefined && <p class="hint">{each}</p>}
      {ways.length > 0 && (
        <>
          <h2>Ask instead</h2>
          <ul class="instead">
            {ways.map(({ text, without }) => (
              <li key={text}>
                <a href={hrefWith({ query: without })}>
                  <code>{visible(without)}</code>
                </a>{' '}
                <span class="hint">
                  without <code>{visible(text)}</code>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {isSingle && <p>No object that you may see matches this condition.</p>}
    </>
  )
}

/** Finds the parts that cause this, and the number of matches of each condition. */
async function reasonsFor(
  query: string,
  signal: AbortSignal,
): Promise<{ readonly parts: readonly Barren[]; readonly isSingle: boolean; readonly each: string }> {
  const { COUNT_UP_TO, eachOf } = await import('../query/check.ts')
  const { nodes } = await check(query, COUNT_UP_TO, signal)
  const conditions = nodes.filter(({ kind }) => kind === 'condition')
  return {
    parts: barrenOf(query, nodes),
    isSingle: nodes.length === 1,
    each: eachOf(conditions.map(({ count, exact = false }) => ({ count, exact }))),
  }
}

function sayingOf(count: number, isEmpty: boolean): string {
  if (!isEmpty) return 'Each of these conditions matches some objects, but none matches all of them:'
  return count === 1 ? 'No object matches this condition:' : 'No object matches any of these conditions:'
}
