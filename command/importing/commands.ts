/** Subcommands that bring data into a store. */
import type { Subcommand } from '../manners/declare.ts'

export const IMPORTING: readonly Subcommand[] = []
