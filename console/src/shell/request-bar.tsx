/** The latest request to the service: what it was, what came of it, and the same as a command. */
import type { JSX } from 'preact'
import { base, user } from '../service/service.ts'
import { requests } from '../service/requests.ts'
import { asCurl } from '../../../command/connection/curl.ts'
import { notify } from '../parts/notices.tsx'

export function RequestBar(): JSX.Element {
  const [latest] = requests.value
  if (latest === undefined) return <footer class="requests">No requests yet</footer>
  const { request, status, took } = latest
  const path = request.url.slice(base.length)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(await asCurl(request, user.value?.name))
    notify('Copied as a curl command')
  }
  return (
    <footer class="requests">
      <code>
        {request.method} {path.length > 80 ? `${path.slice(0, 80)}…` : path}
      </code>
      <span class="status">{status === undefined ? '…' : status || 'no answer'}</span>
      {status !== undefined && <span>{Math.round(took)} ms</span>}
      <button type="button" class="plain" onClick={() => void copy()}>
        Copy as curl
      </button>
    </footer>
  )
}
