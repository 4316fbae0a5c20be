/** Subcommands that change what a store holds. */
import type { Group, Subcommand } from '../manners/declare.ts'

export const CHANGING: readonly (Subcommand | Group)[] = []
