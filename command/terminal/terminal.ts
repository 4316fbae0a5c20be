/** Queries the terminal, and prompts the user. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { Failure, interrupted, misuse } from '../../common/failure.ts'

type Style = Parameters<typeof styleText>[0]

/** Whether standard output and standard error are terminals. */
export const isTerminal = (): boolean => process.stdout.isTTY

/** The columns of the terminal; 80 if unknown. */
export const terminalWidth = (): number => process.stdout.columns || 80

/** Text in a style, if `stream` is a terminal that shows it and NO_COLOR is not set (https://no-color.org). */
export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream })

/** Whether messages about the work are off. */
let quiet = false

export function beQuiet(): void {
  quiet = true
}

/** Whether the command prints only data and errors. */
export const isQuiet = (): boolean => quiet

/** Prints a message about the work, never data. It prints nothing with `--quiet`. */
export function tell(line: string): void {
  if (!quiet) process.stderr.write(`${line}\n`)
}

/** Prints a message that appears also with `--quiet`. */
export const warn = (line: string): void => void process.stderr.write(`${line}\n`)

/** Whether the command can prompt the user. */
const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/**
 * Asks for one line, with the prompt on standard error. `hidden` does not echo the input. Throws a `Failure` with the
 * remedy `instead` if there is no terminal, and also if the input ends; ends the process on Ctrl-C.
 */
export async function ask(question: string, { hidden = false, instead = '' } = {}): Promise<string> {
  if (!canAsk()) throw misuse(`nobody is there to be asked: ${question.trim()}`, instead)
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!hidden) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  // The prompt appears after the terminal has stopped the echo.
  process.stderr.write(question)
  try {
    return await new Promise((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => {
        process.stderr.write('\n')
        reject(interrupted())
      })
      lines.once('close', () => reject(new Failure('the input ended', 'answer the question')))
    })
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** Asks yes or no; `preferred` is the answer to an empty line. Callers do not ask with `--yes`. */
export async function confirm(question: string, preferred: boolean): Promise<boolean> {
  const answer = await ask(`${question} ${preferred ? '[Y/n]' : '[y/N]'} `, {
    instead: 'say --yes to go on without being asked',
  })
  const word = answer.trim().toLowerCase()
  return word === '' ? preferred : word === 'y' || word === 'yes'
}
