/** `gloss complete`: prints completions of the last word. Shells call it, and it prints no errors. */
import type { Command, Option } from 'commander'
import { STATUS } from '../../common/failure.ts'
import { visible } from '../../common/values.ts'
import { CANDIDATES, type Candidate, type Given } from './candidates.ts'

/** The shell itself completes names of files. */
const FILES = ['file', 'folder']

export async function run(words: readonly string[], _options: object, command: Command): Promise<number> {
  const root = command.parent ?? command
  const { kind, given, fixed } = placeOf(root, words.slice(0, -1), words.at(-1) ?? '')
  if (kind !== undefined && FILES.includes(kind)) return STATUS.failed
  const find = kind === undefined ? undefined : CANDIDATES[kind]
  const found = fixed ?? (await find?.(given)) ?? []
  const lines = found
    .filter(({ text }) => text.startsWith(given.word))
    .map(({ text, says }) => `${visible(text)}\t${visible(says ?? '')}\n`)
  process.stdout.write(lines.join(''))
  return STATUS.done
}

/** The expected content at the last word. */
interface Completable {
  /** The name of the argument, or of the value of an option. */
  readonly kind?: string | undefined
  readonly given: Given
  /** The only allowed words, if limited. */
  readonly fixed?: readonly Candidate[]
}

function placeOf(root: Command, before: readonly string[], word: string): Completable {
  const { command, option, positions, options } = follow(root, before)
  const given = { word, options }
  if (option !== undefined) return valuePlace(option, given)
  if (word.startsWith('-')) return { given, fixed: optionsOf(command) }
  if (command.commands.length > 0) return { given, fixed: subcommandsOf(command) }
  const args = command.registeredArguments
  const last = args.at(-1)
  return { given, kind: (args[positions] ?? (last?.variadic ? last : undefined))?.name() }
}

/** The result of walking over the words: the subcommand and the pending option. */
interface Followed {
  readonly command: Command
  /** The option whose value comes next. */
  readonly option: Option | undefined
  /** The number of arguments so far. */
  readonly positions: number
  readonly options: Readonly<Record<string, string>>
}

function follow(root: Command, words: readonly string[]): Followed {
  let command = root
  let option: Option | undefined
  let positions = 0
  const options: Record<string, string> = {}
  for (const word of words) {
    const sub = command.commands.find((one) => one.name() === word)
    if (option !== undefined) {
      options[option.attributeName()] = word
      option = undefined
    } else if (word.startsWith('-') && word !== '-') option = takesMore(command, word)
    else if (sub === undefined) positions += 1
    else command = sub
  }
  return { command, option, positions, options }
}

/** The option of this word, if its value is the next word. */
function takesMore(command: Command, word: string): Option | undefined {
  return command.options.find((one) => (one.long === word || one.short === word) && one.required)
}

function valuePlace(option: Option, given: Given): Completable {
  if (option.argChoices !== undefined) return { given, fixed: option.argChoices.map((text) => ({ text })) }
  return { given, kind: /<([^<>]+)>/.exec(option.flags)?.[1] }
}

const optionsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({ text: option.long ?? option.short ?? '', says: option.description }))

const subcommandsOf = (command: Command): Candidate[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => ({ text: one.name(), says: one.description() }))
