/** The help of every subcommand, and that its examples are command lines that it takes. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from '@jest/globals'
import { manifest } from '../../scripts/pack/root.ts'
import { createProgram } from '../../command/program.ts'
import { expectGolden, gloss, type RunOptions } from '../support/gloss.ts'

/** A command with all below it, each with the words that lead to it. */
const tree = (command: Command, words: readonly string[] = []): (readonly [string, Command])[] => [
  [['gloss', ...words].join(' '), command],
  ...command.commands.flatMap((one) => tree(one, [...words, one.name()])),
]

const all = tree(createProgram())
const leaves = all.filter(([, command]) => command.commands.length === 0)

/** The columns of a terminal. */
const WIDTH = 80

function helpOf(command: Command): string {
  let text = ''
  const write = (part: string): void => void (text += part)
  command.configureOutput({ writeOut: write, getOutHelpWidth: () => WIDTH, getOutHasColors: () => false })
  command.outputHelp()
  return text
}

test('the help of everything', () => {
  const texts = all.map(([name, command]) => `===== ${name}\n${helpOf(command)}`)
  expectGolden(`help.${String(WIDTH)}.txt`, texts.join('\n'))
})

test.each(all)('%s has three examples that it takes, each another one', (name, command) => {
  const examples = Array.from(helpOf(command).matchAll(/^ {2}\$ (.*)$/gm), ([, line = '']) => line)
  expect(examples.length).toBe(3)
  expect(new Set(examples).size).toBe(3)
  for (const line of examples) {
    const words = wordsOf(line)
    const lead = name.split(' ')
    if (command.commands.length === 0) expect(words.slice(0, lead.length)).toEqual(lead)
    const [taken, rest] = descend(createProgram(), words.slice(1))
    const { operands, unknown } = taken.parseOptions(rest)
    expect({ line, unknown }).toEqual({ line, unknown: [] })
    const required = taken.registeredArguments.filter((one) => one.required).length
    const most = taken.registeredArguments.some((one) => one.variadic)
      ? Infinity
      : taken.registeredArguments.length
    expect(operands.length).toBeGreaterThanOrEqual(required)
    expect(operands.length).toBeLessThanOrEqual(most)
  }
})

test.each(leaves)('%s says what it does in one line', (_name, command) => {
  expect(command.description()).toMatch(/^[a-z].{10,110}[^.]$/)
})

test('the version is that of the project', async () => {
  expect(await gloss(['--version'])).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

test.each([
  [['nonsense']],
  [['toString']],
  [['query', 'x', '--port', '1']],
  [['query', 'x', 'y']],
  [['query']],
])('%j is misuse', async (args) => {
  const { status, stdout, stderr } = await gloss(args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(/^gloss: .+\n {2}→ .+\n$/)
})

test('hints name the command as it can be called', async () => {
  const hint = async (options: RunOptions): Promise<string | undefined> =>
    / → (.*) explain lists/.exec((await gloss(['explain', 'Xyzzy'], options)).stderr)?.[1]
  const bin = join(import.meta.dirname, '../../node_modules/.bin')
  const elsewhere = { cwd: tmpdir(), env: { PATH: '/bin' } }
  expect(await hint({ env: { PATH: bin } })).toBe('gloss')
  expect(await hint({ env: { PATH: '/bin' } })).toBe('node_modules/.bin/gloss')
  expect(await hint({ env: { PATH: bin, npm_execpath: 'npx' } })).toBe('node_modules/.bin/gloss')
  expect(await hint(elsewhere)).toBe(join(bin, 'gloss'))
})

test('what is asked for is printed, whatever else stands there', async () => {
  expect(await gloss(['query', 'x', '--help'])).toMatchObject({ status: 0, stderr: '' })
  const { status, stdout } = await gloss([])
  expect(status).toBe(0)
  expect(stdout).toBe((await gloss(['--help'])).stdout)
})

/** The words of the `gloss` in a command line of a shell, with variables before it and whatever is around it left out. */
function wordsOf(line: string): string[] {
  const parts = line.split(/ \| |<\(|\)$/)
  const call = parts.find((part) => /(^|\s)gloss(\s|$)/.test(part)) ?? ''
  const words = Array.from(call.trim().matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g), ([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
  return words.slice(words.indexOf('gloss'))
}

/** The subcommand that words lead to, and what is left of them. */
function descend(command: Command, words: readonly string[]): [Command, string[]] {
  const next = command.commands.find((one) => one.name() === words[0])
  return next === undefined ? [command, [...words]] : descend(next, words.slice(1))
}
