/** Makes docstrings and comments of Python from descriptions in the contract. */

/** The most columns of a line, with its indentation; help() shows docstrings as far indented. */
const COLUMNS = 100

/** A name and what is said about it. */
export interface Described {
  readonly name: string
  readonly description: string
}

interface Docs {
  readonly summary: string
  readonly description: string
  readonly args: readonly Described[]
  /** What the method returns; undefined for nothing. */
  readonly returns: { readonly description: string; readonly fields: readonly Described[] } | undefined
  /** Classes of errors by status. */
  readonly errors: Readonly<Record<string, readonly string[]>>
}

/** The docstring of a method, indented by 8. */
export function docstring({ summary, description, args, returns, errors }: Docs): string {
  const sections = [
    wrapped(`${summary}.`, 8),
    ...(description === '' ? [] : [wrapped(description, 8)]),
    section('Args:', args),
    returns &&
      [heading('Returns:'), wrapped(returns.description, 12), ...returns.fields.map(entry(16))].join('\n'),
    [
      heading('Raises:'),
      wrapped('ServiceError: With one of these classes, or a new one, by status:', 12),
      errorsOf(errors),
    ].join('\n'),
  ].filter((one) => one !== undefined)
  // A backslash begins an escape.
  return `        """\n${sections.join('\n\n')}\n        """`.replaceAll('\\', '\\\\')
}

const heading = (text: string): string => ' '.repeat(8) + text

const section = (title: string, described: readonly Described[]): string | undefined =>
  described.length === 0 ? undefined : [heading(title), ...described.map(entry(12))].join('\n')

const entry =
  (indentation: number) =>
  ({ name, description }: Described): string =>
    wrapped(`${name}: ${description}`, indentation, 4)

const errorsOf = (errors: Docs['errors']): string =>
  Object.entries(errors)
    .map(([status, classes]) => wrapped(`${status}: ${classes.join(', ')}`, 16, 4))
    .join('\n')

/** A comment that tools show for what follows it. */
export const comment = (text: string, indentation: number): string =>
  wrapped(text, indentation, 0, '#: ') + '\n'

/**
 * Lines of at most 100 columns, with `indentation` blanks and `prefix` before each, and `hanging` more before all but the
 * first of a paragraph. Blank lines between paragraphs, and lists, stay.
 */
function wrapped(text: string, indentation: number, hanging = 0, prefix = ''): string {
  const lines = text.trim().split('\n')
  return lines
    .flatMap((line, i) => {
      const deeper = line.startsWith('- ') ? 2 : 0
      const base = i === 0 ? 0 : hanging
      return folded(line, COLUMNS - indentation - prefix.length, [base, Math.max(base, hanging) + deeper])
    })
    .map((line) => `${' '.repeat(indentation)}${prefix}${line}`.trimEnd())
    .join('\n')
}

/** A line in lines of at most so many columns, the first indented by the first number and the others by the second. */
function folded(line: string, columns: number, [first, others]: readonly [number, number]): string[] {
  const lines: string[] = []
  let current = ' '.repeat(first)
  for (const word of line.split(' ')) {
    if (current.trim() !== '' && current.length + 1 + word.length > columns) {
      lines.push(current)
      current = ' '.repeat(others)
    }
    current += (current.trim() === '' ? '' : ' ') + word
  }
  return [...lines, current]
}
