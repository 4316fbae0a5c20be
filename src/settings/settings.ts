/** Reads single settings from the environment and from the files that it names, and notes faults. */
import { readSecret } from '../data/database/connection/secret-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that was read. */
export interface Setting {
  readonly name: string
  /** Its text, or that of its default; empty without either. */
  readonly value: string
  /** The source: the default, the variable, or the file that the variable with `_FILE` names. */
  readonly from: 'default' | 'variable' | 'file'
  readonly secret: boolean
}

/** Reads a whole number, or notes a fault. */
export type ReadInteger = (name: string, fallback: number, least: number, most: number) => number

/**
 * Readers of single variables; an empty variable counts as not set. They add each fault to `faults` and each setting to
 * `settings`.
 */
export function readersOf(env: Environment) {
  const faults: string[] = []
  const settings = new Map<string, Setting>()
  const note = (name: string, value: string, from: Setting['from'], secret = false): void =>
    void settings.set(name, { name, value, from, secret })
  const given = (name: string): string => env[name] ?? ''
  const text = (name: string, fallback: string): string => {
    const value = given(name)
    note(name, value || fallback, value === '' ? 'default' : 'variable')
    return value || fallback
  }
  const list = (name: string): string[] =>
    text(name, '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
  const integer: ReadInteger = (name, fallback, least, most) => {
    const value = text(name, String(fallback))
    const number = /^\d+$/.test(value) ? Number(value) : NaN
    if (number >= least && number <= most) return number
    faults.push(`${name} must be a whole number from ${least} to ${most}, not '${value}'`)
    return fallback
  }
  /** One of the given words, by default the first. */
  const word = <W extends string>(name: string, words: readonly [W, ...W[]]): W => {
    const value = text(name, words[0])
    const known = words.find((one) => one === value)
    if (known === undefined) faults.push(`${name} must be one of ${words.join(', ')}, not '${value}'`)
    return known ?? words[0]
  }
  /** A setting that may also be the content of the file that `<name>_FILE` names; `unread` receives the faults of that file. */
  const secret = (name: string, fallback: string, unread = faults): string => {
    const plain = given(name)
    const file = text(`${name}_FILE`, '')
    if (file !== '' && plain !== '') faults.push(`${name} and ${name}_FILE must not both be set`)
    const content = file === '' ? '' : contentOf(name, file, unread)
    const value = file === '' ? plain : content
    note(name, value || fallback, value === '' ? 'default' : file === '' ? 'variable' : 'file', true)
    return value || fallback
  }
  return { text, list, integer, word, secret, faults, settings }
}

/** The content of a secret's file, without line breaks at its end; with a fault if it is none, empty if it cannot be read. */
function contentOf(name: string, file: string, faults: string[]): string {
  try {
    const content = readSecret(file)
    if (content === '') faults.push(`${name}_FILE names an empty file, '${file}'`)
    if (/[\r\n]/.test(content)) faults.push(`${name}_FILE names a file of several lines, '${file}'`)
    return content
  } catch (error) {
    faults.push(`${name}_FILE names a file that cannot be read: ${(error as Error).message}`)
    return ''
  }
}
