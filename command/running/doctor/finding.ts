/** The result of a check of the doctor. */
import type { Trouble } from '../../../src/process/start-failure.ts'

/** `unknown`: the doctor could not make this check, for a reason that another finding names. */
export type State = 'ok' | 'warning' | 'failure' | 'unknown'

export interface Finding {
  readonly check: string
  readonly state: State
  readonly found: string
  /** What the operator should do; empty if the check found no fault. */
  readonly remedy: string
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found, remedy: '' })

export const warning = (check: string, found: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  found,
  remedy,
})

export const failure = (check: string, { what, remedy }: Trouble): Finding => ({
  check,
  state: 'failure',
  found: what,
  remedy,
})

export const unknown = (check: string, found: string): Finding => ({
  check,
  state: 'unknown',
  found,
  remedy: '',
})

const UNITS = ['octets', 'KiB', 'MiB', 'GiB', 'TiB']

/** Formats a number of octets. */
export function size(octets: number): string {
  const power = octets < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(octets) / 10))
  const number = octets / 1024 ** power
  return `${number.toLocaleString('en', { maximumFractionDigits: number < 10 ? 1 : 0 })} ${UNITS[power] ?? ''}`
}

export const KIB = 1024
export const MIB = 1024 * KIB
export const GIB = 1024 * MIB
