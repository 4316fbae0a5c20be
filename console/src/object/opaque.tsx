/** Shows an opaque value: its type, a preview, its file, and the intended value if it is opaque by mistake. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { toNumber, visible, type OpaqueCell } from '../../../common/values.ts'
import { bytesText, essenceOf, TYPE_NAMES } from '../edit/content.ts'
import { meantBy } from '../edit/mistake.ts'
import { brief, useSaving } from '../edit/saving.ts'
import { readStored, type Slot, type Stored } from '../edit/stored.ts'
import { useLoaded } from '../parts/loaded.ts'
import { Problem } from '../parts/problem.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Who } from '../permissions/who.tsx'
import { user } from '../service/service.ts'
import { Preview } from './preview.tsx'
import { fileName } from './texts.ts'

interface OpaqueProps {
  readonly slot: Slot
  readonly cell: OpaqueCell
  /** The time of the write. */
  readonly updatedAt: string
}

/** Larger values load only after a click. */
const SMALL = 262_144

export function Opaque({ slot, cell, updatedAt }: OpaqueProps): JSX.Element {
  const { id, tag } = slot
  const size = toNumber(cell.size)
  const [wanted, setWanted] = useState(size <= SMALL)
  const stored = useLoaded(
    async (signal) => (wanted ? await readStored(slot, signal) : undefined),
    [id, tag, updatedAt, wanted],
  )
  const { value, loading } = stored
  const content = value?.content.type === 'opaque' ? value.content : undefined
  return (
    <div class="value-opaque">
      {value && content && (
        <>
          <Mistake slot={slot} stored={value} />
          <Preview tag={tag} contentType={content.contentType} bytes={content.bytes} />
        </>
      )}
      {stored.error !== undefined && <Problem error={stored.error} again={stored.again} />}
      {wanted && !content && <p class="hint">{loading ? 'Loading …' : 'It has been changed meanwhile.'}</p>}
      <div class="value-facts">
        <span>opaque</span>
        <code>{visible(cell['value-type'])}</code>
        <span>{bytesText(size)}</span>
        {content === undefined ? (
          <button type="button" class="small" onClick={() => setWanted(true)} disabled={wanted}>
            Load it to look at it
          </button>
        ) : (
          <button
            type="button"
            class="small"
            onClick={() => {
              // With this type a browser does not open the file.
              saveFile(
                new Blob([content.bytes], { type: 'application/octet-stream' }),
                fileName(tag, content.contentType),
              )
            }}
          >
            Download
          </button>
        )}
        <Who path={tag} kind="tag" />
      </div>
    </div>
  )
}

/** Describes the mistake, and offers to correct it. */
function Mistake({ slot, stored }: { slot: Slot; stored: Stored }): JSX.Element | null {
  const { busy, error, conflict, save } = useSaving(() => undefined)
  const { content } = stored
  const meant = meantBy(content)
  if (meant === undefined || content.type !== 'opaque') return null
  return (
    <div class="value-mistake">
      <p>
        It was sent as <code>{essenceOf(content.contentType)}</code>, so it was stored as an opaque value, and
        no query finds what is in it. As a primitive value it is the {TYPE_NAMES[meant.type]}{' '}
        <code>{brief(meant)}</code>.
      </p>
      {user.value === undefined ? (
        <p class="hint">Sign in to change it.</p>
      ) : (
        <button type="button" disabled={busy} onClick={() => void save(slot, stored, meant)}>
          Make it this {TYPE_NAMES[meant.type]}
        </button>
      )}
      {conflict && <p role="alert">Somebody has changed it meanwhile. Look at it again.</p>}
      {error !== undefined && <Problem error={error} />}
    </div>
  )
}
