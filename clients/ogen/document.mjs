// Prints the contract with error classes as plain strings: ogen 1.24.0 has no union of an enum and a string.
import { readFileSync } from 'node:fs'

const [, , file = ''] = process.argv
const document = JSON.parse(readFileSync(file, 'utf8'))
const { description, examples } = document.components.schemas.ErrorClass
document.components.schemas.ErrorClass = { type: 'string', description, examples }
process.stdout.write(JSON.stringify(document))
