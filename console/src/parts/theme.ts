/** The colour theme: the user's choice, or that of the system. */
import { signal, type ReadonlySignal } from '@preact/signals'
import { keep, kept } from './kept.ts'

/** The choices and their names. */
export const THEMES = {
  auto: 'As the system',
  light: 'Light',
  dark: 'Dark',
  contrast: 'High contrast',
} as const

export type Theme = keyof typeof THEMES

const isTheme = (name: string | undefined): name is Theme => name !== undefined && Object.hasOwn(THEMES, name)

const before = kept('theme')
const chosen = signal<Theme>(isTheme(before) ? before : 'auto')
const wantsContrast = matchMedia('(prefers-contrast: more)')

/** The current choice. */
export const theme: ReadonlySignal<Theme> = chosen

/** Sets the choice, also for the next visit. */
export function setTheme(name: Theme): void {
  chosen.value = name
  keep('theme', name === 'auto' ? undefined : name)
  paint()
}

function paint(): void {
  const { dataset } = document.documentElement
  dataset['theme'] = chosen.value
  dataset['contrast'] = chosen.value === 'contrast' || wantsContrast.matches ? 'more' : 'usual'
}

paint()
wantsContrast.addEventListener('change', paint)
