/** `gloss config`: prints the settings, the source of each, and the faults in them. */
import { examineConfig } from '../../src/settings/config.ts'
import type { Setting } from '../../src/settings/settings.ts'
import { STATUS } from '../../common/failure.ts'
import { show, type OutputOptions } from '../terminal/output.ts'
import { tell } from '../terminal/terminal.ts'
import { readEnvFile, ENV_FILE, type EnvFile } from '../settings/env-file.ts'
import { readSettings } from '../settings/settings.ts'

export const check = {
  async run(): Promise<undefined> {
    readSettings()
    tell('The configuration is valid.')
    return undefined
  },
}

export const print = {
  async run(_args: readonly string[], options: OutputOptions): Promise<number> {
    const envFile = readEnvFile()
    const { settings, faults, misspelt } = examineConfig(process.env)
    const rows = settings.map((setting) => [setting.name, shownValue(setting), origin(setting, envFile)])
    await show({ columns: ['setting', 'value', 'from'], rows }, options)
    for (const fault of [...faults, ...misspelt]) tell(`wrong: ${fault}`)
    return faults.length + misspelt.length === 0 ? STATUS.done : STATUS.failed
  },
}

function origin({ name, from }: Setting, envFile: EnvFile | undefined): string {
  if (from === 'default') return 'default'
  const variable = from === 'file' ? `${name}_FILE` : name
  const where = envFile?.names.has(variable) === true ? ENV_FILE : 'environment'
  return from === 'file' ? `${variable} in ${where}` : where
}

/** Hides the secret part of a value: the password in a URL, or else the whole value. */
function shownValue({ value, secret }: Setting): string {
  if (!secret || value === '') return value
  // The password ends at the last @ of the authority, as in the URL parser.
  const [, before, after] = /^(\w+:\/\/[^:/@]*:)[^]*?(@[^@]*)$/.exec(value) ?? []
  if (before !== undefined && after !== undefined) return `${before}****${after}`
  return /^sqlite:/.test(value) ? value : '****'
}
