import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'

interface ChangeManyProps {
  readonly query: string
  readonly count: number
  readonly onClose: (changed: boolean) => void
}

export default function ChangeMany({ query, onClose }: ChangeManyProps): JSX.Element {
  return (
    <Dialog title="Set a tag" onClose={() => onClose(false)}>
      <p>{query}</p>
    </Dialog>
  )
}
