/** Shows the error of the text in the box, and suggests a correction. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { visible } from '../../../common/values.ts'
import { AFTER, useLater } from '../parts/later.ts'
import { suggestPaths } from '../service/suggest.ts'
import { sentence } from './check.ts'
import { flawOf } from './flaw.ts'
import { bareNames, mended, type Paths } from './mend.ts'
import { box, text, write } from './text.ts'

/** The most names that the console looks up. */
const NAMES = 4

const NO_PATHS: Paths = new Map()

/** The error of the text. With `isQuiet`, it waits while the user may still be typing the faulty part. */
export function Slips({ isQuiet }: { readonly isQuiet: boolean }): JSX.Element | null {
  const query = text.value
  const flaw = flawOf(query)
  const names = flaw === undefined ? [] : bareNames(query).slice(0, NAMES)
  const paths = useLater(
    names.length > 0 ? (outdated) => pathsOf(names, outdated) : undefined,
    [names.join(' ')],
    { none: NO_PATHS, delay: AFTER.slips },
  )
  const meant = useMemo(() => mended(query, paths), [query, paths])
  if (flaw === undefined || (flaw.isBegun && isQuiet)) return null
  return (
    <div class={flaw.isBegun ? 'slip begun' : 'slip'} role="status">
      <p>{sentence(visible(flaw.message))}</p>
      {meant !== undefined && (
        <button
          type="button"
          onClick={() => {
            // The button will disappear and lose the focus.
            box.current?.focus()
            write(meant)
          }}
        >
          <span>Change to</span> <code>{visible(meant)}</code>
        </button>
      )}
    </div>
  )
}

/** The tags for last names: the first existing one for each. */
async function pathsOf(names: readonly string[], outdated: AbortSignal): Promise<Paths> {
  const found = await Promise.all(names.map((name) => suggestPaths(name, outdated)))
  return new Map(
    names.flatMap((name, at) => {
      const ends = `/${name.toLowerCase()}`
      const tag = found[at]?.found.find(
        ({ kind, path }) => kind === 'tag' && path.toLowerCase().endsWith(ends),
      )
      return tag === undefined ? [] : [[name, tag.path] as const]
    }),
  )
}
