/** The checks of the doctor for the machine: ports, processors, memory, open files, temporary files. */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import type { Config } from '../../../src/settings/config.ts'
import { startTrouble, type Address } from '../../../src/process/start-failure.ts'
import { failure, MIB, ok, size, unknown, warning, type Finding } from './finding.ts'

export const machineChecks = async (config: Config): Promise<Finding[]> => [
  await port('port', { prefix: '', host: config.host, port: config.port }, config),
  config.adminPort === undefined
    ? ok('admin port', 'there is no admin server')
    : await port('admin port', { prefix: 'ADMIN_', host: config.adminHost, port: config.adminPort }, config),
  processors(config, availableParallelism()),
  memory(config, process.availableMemory()),
  openFiles(config, openFilesLimit()),
  temporary(tmpdir()),
]

/** Listens for a moment. A Gloss service that already uses the port is no fault. */
async function port(check: string, address: Address, config: Config): Promise<Finding> {
  const error = await listened(address)
  if (error === undefined) return ok(check, `${address.port} is free`)
  const trouble = startTrouble(Object.assign(error, { listen: address }), config)
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && (await isOurs(address)))
    return ok(check, `a running Gloss has it: ${trouble.what}`)
  return failure(check, trouble)
}

function listened({ host, port: number }: Address): Promise<Error | undefined> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', resolve)
    server.listen(number, host, () => server.close(() => resolve(undefined)))
  })
}

const LIMIT_MS = 10_000

/** Returns whether a Gloss service or its admin server answers there. */
async function isOurs({ prefix, host, port: number }: Address): Promise<boolean> {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  try {
    const path = prefix === '' ? '/tags/gloss-doctor' : '/livez'
    const answer = await fetch(`http://${name}:${number}${path}`, { signal: AbortSignal.timeout(LIMIT_MS) })
    return prefix === '' ? answer.headers.has('x-service-error-class') : answer.ok
  } catch {
    return false
  }
}

export function processors({ workers }: Config, count: number): Finding {
  return workers <= count
    ? ok('processors', `${count}, for ${workers} ${workers === 1 ? 'process' : 'processes'}`)
    : warning(
        'processors',
        `WORKERS ${workers} is more than the ${count} of this machine`,
        `set WORKERS=${count}`,
      )
}

/** The memory of an idle process, and of the process that starts several (docs/sizing.md), in octets. */
const PROCESS = 110 * MIB
const PRIMARY = 100 * MIB
/** The memory that the service needs while it reads one of the largest bodies, as a multiple of MAX_BODY_BYTES. */
const BODIES = 8

export function memory({ workers, maxBodyBytes }: Config, available: number): Finding {
  const least = workers * PROCESS + (workers === 1 ? 0 : PRIMARY)
  const wanted = least + BODIES * maxBodyBytes
  const remedy = 'give it more memory, or lower WORKERS or MAX_BODY_BYTES'
  if (available < least)
    return failure('memory', { what: `${size(available)} are free, and ${size(least)} are needed`, remedy })
  if (available < wanted)
    return warning('memory', `${size(available)} are free, which is little for long bodies`, remedy)
  return ok('memory', `${size(available)} are free`)
}

/** The most open files that this process may have; undefined if the system does not tell. */
function openFilesLimit(): number | undefined {
  try {
    const [, soft = ''] = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Infinity : Number(soft)
  } catch {
    return undefined
  }
}

/** The number of open files for the program and the database. */
const OTHER_FILES = 100

export function openFiles({ maxConnections }: Config, limit: number | undefined): Finding {
  if (limit === undefined) return unknown('open files', 'this system does not show the limit')
  return limit >= maxConnections + OTHER_FILES
    ? ok('open files', `${limit.toLocaleString('en')} are allowed`)
    : warning(
        'open files',
        `${limit.toLocaleString('en')} are allowed, and MAX_CONNECTIONS is ${maxConnections.toLocaleString('en')}`,
        'raise the limit (ulimit -n, or LimitNOFILE= of systemd), or lower MAX_CONNECTIONS',
      )
}

const ROOM = 256 * MIB

/** The service writes long texts into temporary files there. */
function temporary(folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    return free >= ROOM
      ? ok('temporary files', `${folder} has ${size(free)} of room`)
      : warning(
          'temporary files',
          `${folder} has ${size(free)} of room`,
          'make room, or name another folder by TMPDIR',
        )
  } catch (error) {
    return failure('temporary files', {
      what: `nothing can be written in ${folder}: ${(error as Error).message}`,
      remedy: 'name another folder by TMPDIR',
    })
  }
}
