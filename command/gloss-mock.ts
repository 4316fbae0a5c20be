#!/usr/bin/env node
/** The command `gloss-mock` of the package `@gloss/mock`: it contains only `gloss mock`. */
import { Command } from 'commander'
import { declareSelf, runLine } from './terminal/declare.ts'
import { MOCK } from './running/commands.ts'

const program = new Command('gloss-mock').description(MOCK.does)
declareSelf(program, { ...MOCK, examples: ['gloss-mock', 'gloss-mock --stateful', 'gloss-mock --port 9000'] })
await runLine(program, process.argv.slice(2))
