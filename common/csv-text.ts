/** Writes CSV (RFC 4180). */

/** Lines of CSV, each ended by LF. */
export const csvText = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => `${line.map(fieldText).join(',')}\n`).join('')

const fieldText = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
