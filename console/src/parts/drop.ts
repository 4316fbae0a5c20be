/** Files that are dropped on a part of the page. */
import type { TargetedDragEvent } from 'preact'
import { useState } from 'preact/hooks'

/** What an element needs to take a file. */
interface Target {
  readonly onDragOver: (event: TargetedDragEvent<HTMLElement>) => void
  readonly onDragLeave: () => void
  readonly onDrop: (event: TargetedDragEvent<HTMLElement>) => void
}

/** Whether a file is held over the element that has these handlers; `take` gets the first one that is dropped there. */
export function useDrop(take: (file: File | undefined) => void): readonly [isOver: boolean, target: Target] {
  const [isOver, setOver] = useState(false)
  const target = {
    onDragOver: (event: TargetedDragEvent<HTMLElement>) => {
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: TargetedDragEvent<HTMLElement>) => {
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer?.files[0])
    },
  }
  return [isOver, target]
}
