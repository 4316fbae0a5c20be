/** Subcommands that take data out of a store. */
import type { Subcommand } from '../manners/declare.ts'

export const EXPORTING: readonly Subcommand[] = []
