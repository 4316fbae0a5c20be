/** Writes a backup of the store into a file, while the service runs (`npm run backup -- --to FILE`). */
import { statSync } from 'node:fs'
import { backUp } from './data/keeping/backup.ts'
import { fail, onStore, print, printCounts, readOptions } from './kept-store.ts'

const { to } = readOptions({ to: { type: 'string' } })
if (to === undefined || to === '') fail('Say where to: --to FILE, which must not exist.')

await onStore(async (store) => {
  const { counts, leftOut } = await backUp(store, to)
  print(`The backup is in ${to}: ${statSync(to).size.toLocaleString('en')} octets, for its owner alone.`)
  print(`It has the hashes of all passwords, and all values: keep it where few can read it.`)
  printCounts(counts)
  for (const value of leftOut) print(`LEFT OUT: ${value}`)
  return leftOut.length === 0 ? 0 : 1
})
