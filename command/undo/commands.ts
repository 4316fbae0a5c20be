/** The subcommand that takes changes back. */
import type { Subcommand } from '../terminal/declare.ts'

export const UNDOING: readonly Subcommand[] = [
  {
    name: 'undo',
    takes: '[id]',
    does: 'take back the latest change by import, tag, untag, set or unset, or another one',
    examples: ['gloss undo', 'gloss undo --list', 'gloss undo 12 --dry-run'],
    options: [
      { flags: '--list', does: 'show the changes that can be taken back' },
      { flags: '--dry-run', does: 'change nothing' },
      { flags: '--yes', does: 'do not ask' },
    ],
    talks: true,
    shows: true,
    load: () => import('./undo.ts'),
  },
]
