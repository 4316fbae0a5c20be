/** How programs for maintainers read their arguments, and answer `--help` and wrong use. */
import { parseArgs } from 'node:util'

/** What texts an option takes. */
export interface Kind<T> {
  /** What stands for such a text, as in `--seed N`. */
  readonly shown: string
  /** What such a text is, as in "must be a whole number". */
  readonly must: string
  /** All that it may be, if that is a list. */
  readonly words?: readonly T[]
  /** The value of a text; undefined for a wrong one. */
  readonly read: (text: string) => T | undefined
}

/** An option, or what stands without one. */
export interface Option<T> {
  readonly about: string
  /** What stands for its value; empty for one that has none. */
  readonly shown: string
  /** The default as text; empty if there is none. */
  readonly byDefault: string
  readonly required: boolean
  readonly several: boolean
  readonly operand: boolean
  /** The value of the texts given, which `name` was given for. Throws an error that says what is wrong with one of them. */
  readonly valueOf: (texts: readonly string[], name: string) => T
}

type Options = Readonly<Record<string, Option<unknown>>>
type Values<O extends Options> = { [K in keyof O]: O[K] extends Option<infer T> ? T : never }

/** A program, as its help shows it. */
export interface Program<O extends Options> {
  /** How one starts it with arguments, such as `npm run chaos --`. */
  readonly name: string
  /** A sentence, or a few. */
  readonly does: string
  /** By their names; at most one is an operand. */
  readonly options?: O
  /** Whole commands. */
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

/** An option that counts once; given again, the last one counts. */
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

/** An option that need not be given; `byDefault` says what happens without it, if that is not clear. */
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

/** An option with a list of values, between commas. */
export const commas = <T>(kind: Kind<T>, told: string, otherwise: readonly T[]): Option<readonly T[]> => {
  const each = several(kind, told, otherwise)
  return {
    ...each,
    shown: `${kind.shown},...`,
    several: false,
    valueOf: (texts, name) => each.valueOf(texts.at(-1)?.split(',') ?? [], name),
  }
}

/** What is given without the name of an option. */
export const operand = <T>(what: Option<T>): Option<T> => ({ ...what, operand: true })

const entriesOf = <O extends Options>({ options }: Program<O>): [string, Option<unknown>][] =>
  Object.entries(options ?? {})

function shownIn(name: string, { shown, operand: bare }: Option<unknown>): string {
  if (bare) return shown
  return shown === '' ? `--${name}` : `--${name} ${shown}`
}

/** The line that shows how to use a program. */
export function usageOf<O extends Options>(program: Program<O>): string {
  const parts = entriesOf(program).map(([name, one]) => {
    const shown = one.required ? shownIn(name, one) : `[${shownIn(name, one)}]`
    return one.several ? `${shown}...` : shown
  })
  return ['Usage:', program.name, ...parts].join(' ').replace(/ --$/, '')
}

/** What `--help` prints. */
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

/** The values of arguments. Throws an error that says what is wrong with them. */
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

/** Prints the help and ends the process, if one of its arguments asks for that. */
export function answerHelp<O extends Options>(program: Program<O>): void {
  if (!process.argv.slice(2).includes('--help')) return
  process.stdout.write(helpOf(program))
  process.exit(0)
}

/** The values of the arguments of this process. Ends it if they ask for help, or are wrong. */
export function argumentsOf<O extends Options>(program: Program<O>): Values<O> {
  answerHelp(program)
  try {
    return valuesOf(program, process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usageOf(program)}\n`)
    process.exit(2)
  }
}
