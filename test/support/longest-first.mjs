/**
 * Orders test files as jest does, by their last durations, but puts files that are known to be long first if jest has no
 * duration for them. A long file at the end would leave the other processors idle.
 */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
// Jest depends on this package.
const { default: Sequencer } = require(require.resolve('@jest/test-sequencer'))

/** Files that take half a minute or longer. */
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
