/** Marks an error below the query. */
import stringWidth from 'string-width'
import type { ServiceError } from '../../packages/client/index.ts'
import { visible } from '../../common/values.ts'
import { Failure } from '../../common/failure.ts'
import { tokensOf } from '../../src/query/lexer.ts'
import { terminalWidth } from './terminal.ts'

/** An error under its query, which is printed as it stands. */
export class QueryFailure extends Failure {}

/** A part of one line of a query, in code points from the beginning of the line. */
interface Spot {
  readonly line: string
  readonly from: number
  readonly length: number
  /** The description of the error. */
  readonly what: string
}

/**
 * The line of a query that contains the error, and below it carets and the description; undefined for an error that does
 * not concern the query.
 */
export function underQuery(query: string, error: ServiceError, what: string): string | undefined {
  const spot = spotOfSyntax(query, error) ?? spotOfPath(query, error, what)
  if (spot === undefined) return undefined
  const { line, from, length } = windowed(spot)
  const characters = [...line]
  const before = visible(characters.slice(0, from).join(''))
  const wrong = visible(characters.slice(from, from + length).join(''))
  const carets = '^'.repeat(Math.max(1, stringWidth(wrong)))
  const name = error.errorClass === undefined ? '' : `   [${error.errorClass}]`
  return `${visible(line)}\n${' '.repeat(stringWidth(before))}${carets} ${spot.what}${name}`
}

/** The position in the parser's message: line and column, from 1, in code points. */
function spotOfSyntax(query: string, { errorClass, message }: ServiceError): Spot | undefined {
  if (errorClass !== 'TParseError') return undefined
  const found = /^line (\d+), column (\d+): (.*)$/s.exec(message)
  if (found === null) return undefined
  const [, row, column, what = ''] = found
  const line = query.split(/\r\n|\n/)[Number(row) - 1] ?? ''
  const from = Number(column) - 1
  const [token] = tokensOf([...line].slice(from).join(''))
  const length = token?.offset === 0 ? [...token.text].length : 0
  return { line, from, length, what }
}

/** The position of the tag that an error names. */
function spotOfPath(query: string, { facts }: ServiceError, what: string): Spot | undefined {
  const { path } = facts
  if (path === undefined) return undefined
  const line = query.split(/\r\n|\n/).find((one) => one.includes(path))
  if (line === undefined) return undefined
  return { line, from: [...line.slice(0, line.indexOf(path))].length, length: [...path].length, what }
}

/** Cuts the line to the width of the terminal, around the error. */
function windowed(spot: Spot): Spot {
  const characters = [...spot.line]
  const width = terminalWidth() - 2
  if (characters.length <= width) return spot
  const start = Math.max(0, Math.min(spot.from - Math.floor(width / 2), characters.length - width))
  const line = characters.slice(start, start + width).join('')
  return { ...spot, line: `${start > 0 ? '…' : ''}${line}`, from: spot.from - start + (start > 0 ? 1 : 0) }
}
