/** Shows the visible namespaces and tags as a tree with a filter. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from '../parts/problem.tsx'
import { route } from '../route.ts'
import { user } from '../service/service.ts'
import { MOST, suggestPaths } from '../service/suggest.ts'
import { rowsOfMatches, type Row } from './rows.ts'
import { loadTree, problem, reveal, rows, treeChanges } from './state.ts'
import { TreeRows } from './tree-rows.tsx'
import './tree.css'

export function Tree(): JSX.Element {
  const { view, at } = route.value
  const path = view === 'namespace' || view === 'tag' ? at.join('/') : ''
  useEffect(() => void loadTree(), [user.value, treeChanges.value])
  useEffect(() => {
    if (path !== '') reveal(path)
  }, [path, user.value])
  const [filter, setFilter] = useState('')
  const matches = useMatches(filter.trim())
  return (
    <div class="tree">
      <input
        type="search"
        aria-label="Filter namespaces and tags"
        placeholder="Filter"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {problem.value !== undefined && <Problem error={problem.value} again={() => void loadTree()} />}
      <p class="hint" role="status">
        {filter.trim() === '' ? '' : matches.says}
      </p>
      {filter.trim() === '' ? (
        <TreeRows rows={rows.value} />
      ) : (
        <TreeRows rows={matches.rows} marked={filter.trim()} />
      )}
    </div>
  )
}

interface Matches {
  readonly rows: readonly Row[]
  readonly says: string
}

/** Milliseconds from the last key to the request for matches. */
const PAUSE = 200

/** The paths that contain a text. */
function useMatches(text: string): Matches {
  const [matches, setMatches] = useState<Matches>({ rows: [], says: '' })
  useEffect(() => {
    if (text === '') return
    setMatches((before) => ({ ...before, says: 'Looking …' }))
    const outdated = new AbortController()
    const timer = setTimeout(() => {
      void matchesOf(text, outdated.signal).then((found) => {
        if (!outdated.signal.aborted) setMatches(found)
      })
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      outdated.abort()
    }
  }, [text, user.value, treeChanges.value])
  return matches
}

async function matchesOf(text: string, signal: AbortSignal): Promise<Matches> {
  try {
    const { found, complete } = await suggestPaths(text, signal, { limit: MOST })
    const many = found.length === 1 ? '1 path' : `${found.length.toLocaleString('en')} paths`
    return {
      rows: rowsOfMatches(found),
      says: complete ? many : `The first ${many}: type more to see others`,
    }
  } catch (error) {
    return { rows: [], says: error instanceof Error ? error.message : String(error) }
  }
}
