/** The subcommands of `gloss`, in the order of its help. */
import { Command, Option } from 'commander'
import { CHANGING } from './changing/commands.ts'
import { EXPORTING } from './exporting/commands.ts'
import { IMPORTING } from './importing/commands.ts'
import { declare, withManners, type Group, type Subcommand } from './terminal/declare.ts'
import { USING } from './using/commands.ts'
import { UNDOING } from './undo/commands.ts'
import { RUNNING } from './running/commands.ts'

/** The subcommands by chapter of the help. */
const CHAPTERS: Readonly<Record<string, readonly (Subcommand | Group)[]>> = {
  'Look and ask:': USING,
  'Change:': [...CHANGING, ...UNDOING],
  'Data in and out:': [...IMPORTING, ...EXPORTING],
  'Run a service:': RUNNING,
}

/** The program. `gloss.ts` answers `--version` without it. */
export function createProgram(): Command {
  const program = new Command('gloss').description(
    'An openly writable information store: use one, or run one.',
  )
  withManners(program, [
    'gloss serve',
    'gloss tag book:Dune alice/books/rating=9 --as alice',
    "gloss query 'alice/books/rating > 8' --columns about,alice/books/rating",
  ])
  program.addOption(new Option('--version', 'print the version').helpGroup('In general:'))
  for (const [heading, rows] of Object.entries(CHAPTERS)) {
    program.commandsGroup(heading)
    for (const row of rows) declare(program, row)
  }
  program.commandsGroup('In general:').helpCommand('help [command]', 'show the help of a command')
  return program
}
