/** Files that hold a secret. */
import { readFileSync } from 'node:fs'

/** The content of a secret's file, without the line break at its end. Throws the error of the system. */
export const readSecret = (file: string): string => readFileSync(file, 'utf8').replace(/\r?\n$/, '')
