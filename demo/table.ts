/** Text tables: columns as wide as their widest cell, with numbers aligned to the right. */

/** Formats rows under a heading. */
export function table(heading: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [heading, ...rows].map((row) => row.map(text))
  const widths = heading.map((_, column) => Math.max(...cells.map((row) => lengthOf(row[column]))))
  const lines = cells.map((row, index) =>
    row
      .map((cell, column) => {
        const padding = ' '.repeat((widths[column] ?? 0) - lengthOf(cell))
        return typeof rows[Math.max(index - 1, 0)]?.[column] === 'number' ? padding + cell : cell + padding
      })
      .join('   ')
      .trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width)).join('   '))
  return lines.map((line) => `  ${line}`).join('\n')
}

const text = (cell: string | number): string => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)
const lengthOf = (cell = ''): number => [...cell].length
