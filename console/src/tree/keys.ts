/** Handles keys in the tree (ARIA Authoring Practices, tree view). */
import { baseName, type Row } from './rows.ts'

/** The effect of a key: it moves to a row, or opens or closes the current one. */
export type Move = { readonly to: number } | { readonly open: boolean }

/**
 * The effect of a key at a row; undefined if there is none. `typed` is the earlier part of a name that the user types.
 */
export function moveOf(rows: readonly Row[], at: number, key: string, typed: string): Move | undefined {
  switch (key) {
    case 'ArrowDown':
      return { to: Math.min(at + 1, rows.length - 1) }
    case 'ArrowUp':
      return { to: Math.max(at - 1, 0) }
    case 'Home':
      return { to: 0 }
    case 'End':
      return { to: rows.length - 1 }
    case 'ArrowRight':
      return inward(rows, at)
    case 'ArrowLeft':
      return outward(rows, at)
    default:
      return isTyped(key) ? named(rows, at, typed + key) : undefined
  }
}

/** Returns whether a key is a character of names. */
export const isTyped = (key: string): boolean => /^[\p{L}\p{N}_:.-]$/u.test(key)

function inward(rows: readonly Row[], at: number): Move | undefined {
  const row = rows[at]
  if (row === undefined || !('isOpen' in row) || row.isOpen === undefined) return undefined
  if (!row.isOpen) return { open: true }
  return (rows[at + 1]?.depth ?? 0) > row.depth ? { to: at + 1 } : undefined
}

function outward(rows: readonly Row[], at: number): Move | undefined {
  const row = rows[at]
  if (row === undefined) return undefined
  if ('isOpen' in row && row.isOpen === true) return { open: false }
  const above = rows.findLastIndex(({ depth }, index) => index < at && depth < row.depth)
  return above < 0 ? undefined : { to: above }
}

/** The next row whose name begins with the typed text; for a repeated character, the next one that begins with it. */
function named(rows: readonly Row[], at: number, text: string): Move | undefined {
  const [first = ''] = text
  const isOneOnly = [...text].every((character) => character === first)
  const start = (isOneOnly ? first : text).toLowerCase()
  const from = isOneOnly ? at + 1 : at
  const order = rows.map((_, index) => (from + index) % rows.length)
  const to = order.find((index) => {
    const row = rows[index]
    return row !== undefined && 'isOpen' in row && baseName(row.path).toLowerCase().startsWith(start)
  })
  return to === undefined ? undefined : { to }
}
