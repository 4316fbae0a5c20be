/** Shows the latest request to the service, its answer, the request as a command, and earlier requests. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { asCurl } from '../../../common/connection/curl.ts'
import { visible } from '../../../common/values.ts'
import { copyText } from '../parts/copy.ts'
import { requests, type Sent } from '../service/requests.ts'
import { base } from '../service/service.ts'

import { drawer } from './side.tsx'

export function RequestBar(): JSX.Element {
  const [open, setOpen] = useState(false)
  const all = requests.value
  const [latest] = all
  const waiting = all.find(({ wait }) => wait !== undefined)
  return (
    <footer
      class="requests"
      inert={drawer.value}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      {open && <List all={all} />}
      <p class="busy" role="status">
        {waiting && `The service is busy, asking again in ${waiting.wait ?? 1} s`}
      </p>
      {latest === undefined ? (
        <span>No requests yet</span>
      ) : (
        <>
          <button type="button" class="plain latest" aria-expanded={open} onClick={() => setOpen(!open)}>
            <span aria-hidden="true">{open ? '▾' : '▴'}</span>
            <span class="hidden">Requests, the latest:</span>
            <code>{requestLine(latest)}</code>
            <Figures sent={latest} />
          </button>
          <Copy sent={latest} />
        </>
      )}
    </footer>
  )
}

function List({ all }: { all: readonly Sent[] }): JSX.Element {
  return (
    <section class="list" aria-label={`The latest requests`} tabIndex={0}>
      <ol>
        {all.map((sent) => (
          <li key={sent.id}>
            <code>{requestLine(sent)}</code>
            <Figures sent={sent} />
            <Copy sent={sent} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Figures({ sent }: { sent: Sent }): JSX.Element {
  const { status, took, size, givenUp } = sent
  const failed = status !== undefined && !givenUp && (status === 0 || status >= 400)
  return (
    <>
      <span class={failed ? 'figure failed' : 'figure'}>{stateOf(sent)}</span>
      <span class="figure">{status !== undefined && `${Math.round(took)} ms`}</span>
      <span class="figure">{size !== undefined && sizeOf(size)}</span>
    </>
  )
}

function Copy({ sent: { request, user } }: { sent: Sent }): JSX.Element {
  const copy = async (): Promise<void> => {
    await copyText(await asCurl(request, user), 'as a curl command')
  }
  return (
    <button type="button" class="plain copy" aria-label="Copy as curl" onClick={() => void copy()}>
      <span class="long">Copy as</span> curl
    </button>
  )
}

const requestLine = ({ request: { method, url } }: Sent): string =>
  `${method} ${visible(readable(url.slice(base.length)))}`

/** A URL with decoded escapes; a copy keeps the escapes. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll('+', ' '))
  } catch {
    return path
  }
}

function stateOf({ status, givenUp }: Sent): string {
  if (givenUp) return 'given up'
  return status === undefined ? '…' : status === 0 ? 'no answer' : String(status)
}

const sizeOf = (octets: number): string =>
  octets < 1000
    ? `${octets} B`
    : octets < 1e6
      ? `${(octets / 1000).toFixed(1)} kB`
      : `${(octets / 1e6).toFixed(1)} MB`
