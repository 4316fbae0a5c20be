/** Parses the arguments of programs for maintainers, and answers `--help` and invalid arguments. */
import { parseArgs } from 'node:util'

/** The kind of the values of an option. */
export interface Kind<T> {
  /** The placeholder for a value, as in `--seed N`. */
  readonly shown: string
  /** The requirement for a value, as in "must be a whole number". */
  readonly must: string
  /** The allowed values, if they are a list. */
  readonly words?: readonly T[]
  /** Parses a text; undefined for an invalid one. */
  readonly read: (text: string) => T | undefined
}

/** An option, or an operand. */
export interface Option<T> {
  readonly about: string
  /** The placeholder for its value; empty for an option without a value. */
  readonly shown: string
  /** The default as text; empty if there is none. */
  readonly byDefault: string
  readonly required: boolean
  readonly several: boolean
  readonly operand: boolean
  /** The value for the given texts of the option `name`. Throws an error about an invalid text. */
  readonly valueOf: (texts: readonly string[], name: string) => T
}

type Options = Readonly<Record<string, Option<unknown>>>
type Values<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never }

/** A program, as its help describes it. */
export interface Program<O extends Options> {
  /** The command that starts it with arguments, such as `npm run chaos --`. */
  readonly name: string
  /** A description of one or a few sentences. */
  readonly does: string
  /** The options by name; at most one is an operand. */
  readonly options?: O
  /** Complete commands. */
  readonly examples?: readonly string[]
}

export const text = (shown: string): Kind<string> => ({ shown, must: 'a text', read: (given) => given })

/** Whole numbers in a range, both ends included. */
export const wholeNumber = (least: number, most = 999_999_999): Kind<number> => ({
  shown: 'N',
  must: `a whole number from ${least} to ${most}`,
  read: (given) =>
    /^\d{1,9}$/.test(given) && Number(given) >= least && Number(given) <= most ? Number(given) : undefined,
})

/** Numbers above 0, with or without a decimal point. */
export const positive: Kind<number> = {
  shown: 'N',
  must: 'a number above 0',
  read: (given) => (/^\d{1,9}(\.\d{1,9})?$/.test(given) && Number(given) > 0 ? Number(given) : undefined),
}

export const oneOf = <W extends string | number>(shown: string, words: readonly W[]): Kind<W> => ({
  shown,
  must: `one of ${words.join(', ')}`,
  words,
  read: (given) => words.find((word) => String(word) === given),
})

const about = <T>({ words }: Kind<T>, told: string): string =>
  words === undefined ? told : `${told}: ${words.join(', ')}`

function readBy<T>({ must, read }: Kind<T>, given: string, name: string): T {
  const value = read(given)
  if (value === undefined) throw new Error(`${name} must be ${must}, not '${given}'`)
  return value
}

const ONCE = { required: false, several: false, operand: false }

/** An option without a value. */
export const flag = (told: string): Option<boolean> => ({
  ...ONCE,
  about: told,
  shown: '',
  byDefault: '',
  valueOf: (texts) => texts.length > 0,
})

/** An option with one value; if it is given several times, the last value counts. */
export const option = <T>(kind: Kind<T>, told: string, otherwise: T): Option<T> => ({
  ...ONCE,
  about: about(kind, told),
  shown: kind.shown,
  byDefault: String(otherwise),
  valueOf: (texts, name) => {
    const given = texts.at(-1)
    return given === undefined ? otherwise : readBy(kind, given, name)
  },
})

/** An optional option; `byDefault` describes the behaviour without it, if that is not obvious. */
export const optional = <T>(kind: Kind<T>, told: string, byDefault = ''): Option<T | undefined> => ({
  ...option<T | undefined>(kind, told, undefined),
  byDefault,
})

/** An option that must be given. */
export const required = <T>(kind: Kind<T>, told: string): Option<T> => ({
  ...optional(kind, told),
  required: true,
  valueOf: (texts, name) => {
    const given = texts.at(-1)
    if (given === undefined) throw new Error(`${name} ${kind.shown} is missing`)
    return readBy(kind, given, name)
  },
})

/** An option that may be given several times. */
export const several = <T>(kind: Kind<T>, told: string, otherwise: readonly T[]): Option<readonly T[]> => ({
  ...ONCE,
  about: about(kind, told),
  shown: kind.shown,
  byDefault: otherwise.length > 0 && otherwise === kind.words ? 'all' : otherwise.join(', '),
  several: true,
  valueOf: (texts, name) =>
    texts.length === 0 ? otherwise : texts.map((given) => readBy(kind, given, name)),
})

/** An option with a comma-separated list of values. */
export const commas = <T>(kind: Kind<T>, told: string, otherwise: readonly T[]): Option<readonly T[]> => {
  const each = several(kind, told, otherwise)
  return {
    ...each,
    shown: `${kind.shown},...`,
    several: false,
    valueOf: (texts, name) => each.valueOf(texts.at(-1)?.split(',') ?? [], name),
  }
}

/** An argument without the name of an option. */
export const operand = <T>(what: Option<T>): Option<T> => ({ ...what, operand: true })

const entriesOf = <O extends Options>({ options }: Program<O>): [string, Option<unknown>][] =>
  Object.entries(options ?? {})

function shownIn(name: string, { shown, operand: bare }: Option<unknown>): string {
  if (bare) return shown
  return shown === '' ? `--${name}` : `--${name} ${shown}`
}

/** The line with the syntax of the arguments. */
export function usageOf<O extends Options>(program: Program<O>): string {
  const parts = entriesOf(program).map(([name, one]) => {
    const shown = one.required ? shownIn(name, one) : `[${shownIn(name, one)}]`
    return one.several ? `${shown}...` : shown
  })
  return ['Usage:', program.name, ...parts].join(' ').replace(/ --$/, '')
}

/** The text of `--help`. */
export function helpOf<O extends Options>(program: Program<O>): string {
  const rows = entriesOf(program).map(([name, one]) => {
    const several = one.several ? '; may be given several times' : ''
    const byDefault = one.byDefault === '' ? '' : ` (default: ${one.byDefault})`
    return [shownIn(name, one), `${one.about}${several}${byDefault}`] as const
  })
  const all = [...rows, ['--help', 'print this'] as const]
  const width = Math.max(...all.map(([shown]) => shown.length))
  const examples = program.examples?.map((example) => `  ${example}`) ?? []
  const lines = [
    ...[usageOf(program), '', program.does, ''],
    ...all.map(([shown, told]) => `  ${shown.padEnd(width)}  ${told}`),
    ...(examples.length > 0 ? ['', 'Examples:', ...examples] : []),
  ]
  return `${lines.join('\n')}\n`
}

/** The values of arguments. Throws an error about invalid ones. */
export function valuesOf<O extends Options>(program: Program<O>, args: readonly string[]): Values<O> {
  const entries = entriesOf(program)
  const bare = entries.find(([, one]) => one.operand)?.[1]
  const named = entries.filter(([, one]) => !one.operand)
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: bare !== undefined,
    options: Object.fromEntries(
      named.map(([name, { shown }]) => [name, { type: shown === '' ? 'boolean' : 'string', multiple: true }]),
    ),
  })
  const [, surplus] = positionals
  if (surplus !== undefined && bare?.several === false) throw new Error(`Unexpected argument '${surplus}'`)
  const given = values as Readonly<Record<string, readonly (string | boolean)[] | undefined>>
  return Object.fromEntries(
    entries.map(([name, one]) => [
      name,
      one.operand
        ? one.valueOf(positionals, one.shown)
        : one.valueOf(given[name]?.map(String) ?? [], `--${name}`),
    ]),
  ) as Values<O>
}

/** Prints the help and ends the process, if the arguments contain `--help`. */
export function answerHelp<O extends Options>(program: Program<O>): void {
  if (!process.argv.slice(2).includes('--help')) return
  process.stdout.write(helpOf(program))
  process.exit(0)
}

/** The values of the arguments of this process. Ends the process after `--help` and after invalid arguments. */
export function argumentsOf<O extends Options>(program: Program<O>): Values<O> {
  answerHelp(program)
  try {
    return valuesOf(program, process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usageOf(program)}\n`)
    process.exit(2)
  }
}
