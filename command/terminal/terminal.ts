/** What is known of the terminal, if there is one, and asking the person in front of it. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { Failure, interrupted, misuse } from '../../shared/failure.ts'

type Style = Parameters<typeof styleText>[0]

/** Whether anybody reads standard output and standard error on a terminal, which programs do not. */
export const isTerminal = (): boolean => process.stdout.isTTY

/** Columns of the terminal; 80 where none is known. */
export const terminalWidth = (): number => process.stdout.columns || 80

/** Text in a style, if `stream` is a terminal that shows it and NO_COLOR is not set (https://no-color.org). */
export const styled = (style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  styleText(style, text, { stream })

/** Whether to say what nobody asked for. */
let quiet = false

export function beQuiet(): void {
  quiet = true
}

/** Whether it was asked for to say nothing but data and errors. */
export const isQuiet = (): boolean => quiet

/** Says something about the work to whoever watches: never data. Nothing with `--quiet`. */
export function tell(line: string): void {
  if (!quiet) process.stderr.write(`${line}\n`)
}

/** Says what must be known, also with `--quiet`. */
export const warn = (line: string): void => void process.stderr.write(`${line}\n`)

/** Whether somebody is there to be asked. */
const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY

/**
 * Asks for one line, and shows the question on standard error. `hidden` does not show what is typed. Throws a `Failure`
 * if nobody is there, `instead` being what to do then, and if the input ends; ends the process on Ctrl-C.
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
  // Not before the terminal has ceased to show what is typed.
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

/** Asks yes or no; `preferred` is the answer to an empty line. With `--yes` callers do not ask. */
export async function confirm(question: string, preferred: boolean): Promise<boolean> {
  const answer = await ask(`${question} ${preferred ? '[Y/n]' : '[y/N]'} `, {
    instead: 'say --yes to go on without being asked',
  })
  const word = answer.trim().toLowerCase()
  return word === '' ? preferred : word === 'y' || word === 'yes'
}
