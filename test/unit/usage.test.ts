/** How programs for maintainers read their arguments, and what they print for `--help` and for wrong ones. */
import { spawnSync } from 'node:child_process'
import { expect, test } from '@jest/globals'
import {
  commas,
  flag,
  helpOf,
  oneOf,
  operand,
  option,
  optional,
  positive,
  required,
  several,
  text,
  usageOf,
  valuesOf,
  wholeNumber,
} from '../../scripts/usage.ts'

const KINDS = ['sqlite', 'mysql'] as const
const PARTS = ['queries', 'bulk']

const program = {
  name: 'npm run try --',
  does: 'Tries things.',
  options: {
    quick: flag('for a short time'),
    database: option(oneOf('KIND', KINDS), 'on which kind of database', 'sqlite'),
    rounds: option(wholeNumber(1, 500), 'how many rounds', 10),
    minutes: option(positive, 'for how long', 3),
    seed: optional(wholeNumber(0), 'chooses what is tried', 'at random'),
    node: several(text('FOLDER'), 'a folder', ['one', 'two']),
    only: commas(oneOf('PART', PARTS), 'which parts', PARTS),
    names: operand(several(text('NAME'), 'what is tried', [])),
  },
  examples: ['npm run try -- --quick'],
}

const USAGE =
  'Usage: npm run try -- [--quick] [--database KIND] [--rounds N] [--minutes N] [--seed N] [--node FOLDER]... ' +
  '[--only PART,...] [NAME]...'

test('the help has the usage, what the program does, and its options with their defaults', () => {
  expect(helpOf(program)).toBe(`${USAGE}

Tries things.

  --quick          for a short time
  --database KIND  on which kind of database: sqlite, mysql (default: sqlite)
  --rounds N       how many rounds (default: 10)
  --minutes N      for how long (default: 3)
  --seed N         chooses what is tried (default: at random)
  --node FOLDER    a folder; may be given several times (default: one, two)
  --only PART,...  which parts: queries, bulk (default: all)
  NAME             what is tried; may be given several times
  --help           print this

Examples:
  npm run try -- --quick
`)
})

test('the help of a program without options, and with one that must be given', () => {
  const plain = { name: 'npm run try', does: 'Tries things.' }
  expect(helpOf(plain)).toBe('Usage: npm run try\n\nTries things.\n\n  --help  print this\n')
  const strict = { ...plain, options: { beside: required(text('DIR'), 'another checkout') } }
  expect(usageOf(strict)).toBe('Usage: npm run try --beside DIR')
  expect(valuesOf(strict, ['--beside', 'there'])).toEqual({ beside: 'there' })
  expect(() => valuesOf(strict, [])).toThrow('--beside DIR is missing')
})

test('without arguments, all values are the defaults', () => {
  expect(valuesOf(program, [])).toEqual({
    quick: false,
    database: 'sqlite',
    rounds: 10,
    minutes: 3,
    seed: undefined,
    node: ['one', 'two'],
    only: PARTS,
    names: [],
  })
})

test('arguments become values; of an option that counts once, the last one counts', () => {
  const args =
    '--quick --database mysql --rounds 7 --rounds 500 --minutes 0.5 --seed 0 --node here --node there'
  expect(valuesOf(program, [...args.split(' '), '--only', 'bulk,queries', 'this', 'that'])).toEqual({
    quick: true,
    database: 'mysql',
    rounds: 500,
    minutes: 0.5,
    seed: 0,
    node: ['here', 'there'],
    only: ['bulk', 'queries'],
    names: ['this', 'that'],
  })
})

test.each([
  ['--rounds 0', "--rounds must be a whole number from 1 to 500, not '0'"],
  ['--rounds 501', "--rounds must be a whole number from 1 to 500, not '501'"],
  ['--rounds 4.2', "--rounds must be a whole number from 1 to 500, not '4.2'"],
  ['--rounds many', "--rounds must be a whole number from 1 to 500, not 'many'"],
  ['--minutes 0', "--minutes must be a number above 0, not '0'"],
  ['--minutes 1e3', "--minutes must be a number above 0, not '1e3'"],
  ['--database oracle', "--database must be one of sqlite, mysql, not 'oracle'"],
  ['--only bulk,all', "--only must be one of queries, bulk, not 'all'"],
  ['--rounds', "Option '--rounds <value>' argument missing"],
  ['--quick=yes', "Option '--quick' does not take an argument"],
  ['--round 3', "Unknown option '--round'"],
])('%s is refused', (args, message) => {
  expect(() => valuesOf(program, args.split(' '))).toThrow(message)
})

test('an argument too many is refused', () => {
  const plain = { name: 'npm run try --', does: 'Tries things.' }
  expect(() => valuesOf(plain, ['more'])).toThrow("Unexpected argument 'more'")
  const one = { ...plain, options: { rounds: operand(option(wholeNumber(1), 'rounds', 10)) } }
  expect(valuesOf(one, ['5'])).toEqual({ rounds: 5 })
  expect(() => valuesOf(one, ['five'])).toThrow("N must be a whole number from 1 to 999999999, not 'five'")
  expect(() => valuesOf(one, ['5', 'more'])).toThrow("Unexpected argument 'more'")
})

test.each([
  [
    '--help',
    {
      status: 0,
      stdout: /^Usage: npm run map -- \[PART\]\.\.\.\n\n.*\n\n {2}PART .*\n {2}--help {2}print this\n$/,
      stderr: /^$/,
    },
  ],
  [
    '--wrong',
    {
      status: 2,
      stdout: /^$/,
      stderr: /^Unknown option '--wrong'.*\nUsage: npm run map -- \[PART\]\.\.\.\n$/,
    },
  ],
])('a program that is started with %s prints that and ends', (argument, { status, stdout, stderr }) => {
  const ended = spawnSync(process.execPath, ['scripts/map.ts', argument], {
    cwd: `${import.meta.dirname}/../..`,
    encoding: 'utf8',
  })
  expect(ended.stdout).toMatch(stdout)
  expect(ended.stderr).toMatch(stderr)
  expect(ended.status).toBe(status)
})
