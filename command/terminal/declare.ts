/** Declares subcommands: examples, a line of help, options, and a module that loads when the subcommand runs. */
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { Failure, STATUS } from '../../common/failure.ts'
import { typeable } from './called.ts'
import { report } from './report.ts'
import { beQuiet } from './terminal.ts'

/** An option: its flags as commander writes them, what it does, and how its value is read. */
export interface OptionRow {
  readonly flags: string
  readonly does: string
  /** `before` is the value from an earlier occurrence on the same command line. */
  readonly read?: (text: string, before: unknown) => unknown
  /** The allowed values, if limited. */
  readonly choices?: readonly string[]
}

/** Runs a subcommand with its arguments and options. Returns the exit status; undefined means 0. */
export interface Runner {
  readonly run: (args: readonly string[], options: never, command: Command) => Promise<number | undefined>
}

export interface Subcommand {
  readonly name: string
  /** Its arguments as commander writes them, such as `<query> [tag...]`. */
  readonly takes?: string
  readonly does: string
  /** Three command lines at the beginning of the help. */
  readonly examples: readonly [string, string, string]
  readonly options?: readonly OptionRow[]
  /** `talks`: the subcommand calls a service and has the options for that. `shows`: it shows rows. */
  readonly talks?: boolean
  readonly shows?: boolean
  /** The subcommand is for programs, and the help omits it. */
  readonly hidden?: boolean
  readonly load: () => Promise<Runner>
}

/** Subcommands under one name. */
export interface Group {
  readonly name: string
  readonly does: string
  readonly examples: readonly [string, string, string]
  readonly commands: readonly Subcommand[]
}

/** Splits a list at commas. It rejects an empty list. */
export function splitList(text: string): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  if (items.length === 0) throw new InvalidArgumentError('It is one name, or several separated by commas.')
  return items
}

/** Reads a name. It rejects an empty one. */
export function readName(text: string): string {
  if (text !== '') return text
  throw new InvalidArgumentError('It must not be empty.')
}

/** Reads a whole number that is at least `least`. */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN
    if (number >= least && number <= most) return number
    const upTo = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`
    throw new InvalidArgumentError(`It is a whole number from ${least}${upTo}.`)
  }

const TALKING: readonly OptionRow[] = [
  { flags: '--url <url>', does: 'the service (GLOSS_URL)' },
  { flags: '--as <user>', does: 'whom to sign in as (GLOSS_USER)' },
  { flags: '--profile <name>', does: 'a service and user that gloss login has kept', read: readName },
  { flags: '--password-file <file>', does: 'a file with the password (GLOSS_PASSWORD)' },
  { flags: '--timeout <seconds>', does: 'how long the service may send nothing: 30 (GLOSS_TIMEOUT)' },
  { flags: '--verbose', does: 'print each request as a command of curl' },
]

const SHOWING: readonly OptionRow[] = [
  { flags: '--json', does: 'an array of objects' },
  { flags: '--ndjson', does: 'an object a line' },
  { flags: '--csv', does: 'CSV with a heading' },
  { flags: '-o, --output <file>', does: 'write into a file' },
  { flags: '--columns <list>', does: 'the columns to show, separated by commas', read: splitList },
]

/** The option of subcommands that print one result, not rows. */
export const AS_JSON: OptionRow = { flags: '--json', does: 'print the result as JSON' }

const ALWAYS: readonly OptionRow[] = [{ flags: '--quiet', does: 'say nothing but data and errors' }]

/** Adds a subcommand or a group. */
export function declare(parent: Command, row: Subcommand | Group): void {
  const hidden = 'hidden' in row && row.hidden
  const command = parent.command(row.name, { hidden }).description(row.does)
  withManners(command, row.examples)
  if ('commands' in row) {
    for (const one of row.commands) declare(command, one)
    return
  }
  addSelf(command, row)
}

/** Makes a program of a single subcommand. */
export function declareSelf(program: Command, row: Subcommand): void {
  withManners(program, row.examples)
  addSelf(program, row)
}

/** Adds the arguments, the options and the action of a subcommand. */
function addSelf(command: Command, row: Subcommand): void {
  if (row.takes !== undefined) command.arguments(row.takes)
  addOptions(command, 'Options:', row.options ?? [])
  if (row.shows) addOptions(command, 'What is shown:', SHOWING)
  if (row.talks) addOptions(command, 'The service:', TALKING)
  addOptions(command, 'In general:', ALWAYS)
  command.action(async (...given: unknown[]) => {
    const options: { readonly quiet?: true } = command.opts()
    if (options.quiet) beQuiet()
    const args = given
      // commander passes the options and the command after the arguments.
      .slice(0, -2)
      .flat()
      .filter((arg) => arg !== undefined) as string[]
    process.exitCode = await endOf(async () => (await row.load()).run(args, options as never, command))
  })
}

/** Configures the help of a command. */
export function withManners(command: Command, examples: readonly string[]): void {
  command
    .addHelpText('before', `${['Examples:', ...examples.map((line) => `  $ ${line}`)].join('\n')}\n`)
    .addHelpOption(new Option('-h, --help', 'show this').helpGroup('In general:'))
    .exitOverride()
    .showHelpAfterError(false)
    .configureHelp({
      subcommandTerm: (one) => `${one.name()} ${one.usage().replace('[options]', '').trim()}`.trim(),
    })
    .configureOutput({
      outputError: (text, write) => {
        write(inTwoLines(command, text))
      },
    })
}

/** An error of commander, which may suggest a word in a line of its own, as what is wrong and what to do. */
function inTwoLines(command: Command, text: string): string {
  const [what = '', suggestion = ''] = text
    .replace(/^error: /, '')
    .trimEnd()
    .split('\n')
  const [, meant] = /^\((Did you mean .*\?)\)$/i.exec(suggestion) ?? []
  const help = `${wordsOf(command)} --help shows what there is`
  return `gloss: ${what}\n  → ${meant?.replace('Did', 'did') ?? typeable(help)}\n`
}

/** The words that call a command, such as `gloss perms who`. */
const wordsOf = (command: Command): string =>
  command.parent === null ? command.name() : `${wordsOf(command.parent)} ${command.name()}`

function addOptions(command: Command, heading: string, rows: readonly OptionRow[]): void {
  for (const { flags, does, read, choices } of rows) {
    const option = new Option(flags, does).helpGroup(heading)
    if (choices !== undefined) option.choices(choices)
    if (read !== undefined) option.argParser(read)
    command.addOption(option)
  }
}

/** Runs work and returns its exit status. It reports failures itself. */
async function endOf(work: () => Promise<number | undefined>): Promise<number> {
  try {
    return (await work()) ?? STATUS.done
  } catch (error) {
    return report(error)
  }
}

/** Runs a command line, and sets the exit status of the process. */
export async function runLine(program: Command, args: readonly string[]): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of the output has closed the pipe.
    if (error.code === 'EPIPE') process.exit(STATUS.done)
    const what = `standard output cannot be written: ${error.message}`
    process.exit(report(new Failure(what, 'make room there, or write somewhere else')))
  })
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // commander has already printed the error; help is not an error.
    process.exitCode = error.exitCode === 0 ? STATUS.done : STATUS.misused
  }
}
