/** Files that hold a secret. */
import { readFileSync } from 'node:fs'

/** The content of a secret's file, without the line breaks at its end and a byte order mark. Throws the error of the system. */
export const readSecret = (file: string): string =>
  readFileSync(file, 'utf8').replace(/^\uFEFF|(?<![\r\n])[\r\n]+$/g, '')
