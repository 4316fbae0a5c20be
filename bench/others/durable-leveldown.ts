/**
 * The `level-backend` of pouchdb-server: its own LevelDB, except that every write is on the disk before its answer. No
 * setting does that.
 */
import { createRequire } from 'node:module'

type Write = (operations: unknown, options: object, callback: unknown) => void

interface Level {
  _batch: Write
}

const ofTheService = createRequire(process.argv[1] ?? '')
const leveldown = ofTheService('leveldown') as { (location: string): Level; destroy: unknown }

function durableLeveldown(location: string): Level {
  const level = leveldown(location)
  const write = level._batch.bind(level)
  level._batch = (operations, options, callback) => {
    write(operations, { ...options, sync: true }, callback)
  }
  return level
}
durableLeveldown.destroy = leveldown.destroy

export { durableLeveldown as 'module.exports' }
