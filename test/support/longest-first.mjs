/**
 * Jest's order of test files, by how long each took before, except that files which are known to be long come first where
 * jest has not run them yet: one that begins last has one processor work alone.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
// It comes with jest.
const { default: Sequencer } = require(require.resolve('@jest/test-sequencer'))

/** From half a minute on. */
const LONG = [
  'pages/attacks',
  'pages/pages',
  'pages/reference',
  'examples/documents',
  'behaviour/silent-worker',
  'data/harmed-connections',
  'data/migration-lock',
  'console/everywhere',
  'command/archive',
  'behaviour/stopping',
  'data/ready',
  'console/shell',
  'console/keyboard',
  'command/import-interrupted',
  'data/backup',
  'behaviour/process',
  'contract/too-many',
  'data/late-database',
  'command/import',
].map((name) => `/test/${name}.test.ts`)

export default class LongestFirst extends Sequencer {
  sort(tests) {
    const isKnownAsLong = ({ path, duration }) =>
      duration === undefined && LONG.some((end) => path.endsWith(end))
    const sorted = super.sort(tests)
    return [...sorted.filter(isKnownAsLong), ...sorted.filter((test) => !isKnownAsLong(test))]
  }
}
