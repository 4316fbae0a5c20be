/** Accepts files that the user drops on a part of the page. */
import type { TargetedDragEvent } from 'preact'
import { useState } from 'preact/hooks'

/** The handlers of an element that accepts files. */
interface Target {
  readonly onDragOver: (event: TargetedDragEvent<HTMLElement>) => void
  readonly onDragLeave: () => void
  readonly onDrop: (event: TargetedDragEvent<HTMLElement>) => void
}

/** Returns whether the user holds a file over the element, and its handlers; `take` gets the first dropped file. */
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
