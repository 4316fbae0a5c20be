/** Workers that no longer answer, as if they hung in an endless loop: they count as gone, and are replaced. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from '@jest/globals'
import { freshDatabase, type FreshDatabase } from '../support/database.ts'
import { freePort } from '../support/ports.ts'
import { listening, logged, runProcess, type ServiceProcess } from '../support/process.ts'

const databases: FreshDatabase[] = []
const processes: ChildProcess[] = []
const stopped: number[] = []

afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL')
  for (const pid of stopped) endIfThere(pid)
  for (const database of databases) await database.drop()
})

/** A worker that is stopped does not notice that its primary process is gone. */
function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has been replaced.
  }
}

interface Running extends ServiceProcess {
  readonly port: number
  readonly admin: number
}

async function start(): Promise<Running> {
  const database = await freshDatabase()
  databases.push(database)
  const admin = await freePort()
  // Without a number of its own, the port would be another one once all workers have been replaced.
  const [PORT, ADMIN_PORT] = [String(await freePort()), String(admin)]
  const service = runProcess({ DATABASE_URL: database.url, WORKERS: '2', PORT, ADMIN_PORT })
  processes.push(service.process)
  return { ...service, admin, port: await listening(service) }
}

const ask = async ({ port }: Running): Promise<number> =>
  (await fetch(`http://127.0.0.1:${String(port)}/users/service`, { headers: { connection: 'close' } })).status

/** The processes that have answered requests. */
async function workersOf(service: Running): Promise<Set<number>> {
  const workers = new Set<number>()
  for (let asked = 1; workers.size < 2; asked++) {
    expect(await ask(service)).toBe(200)
    for (const { pid } of await logged(service, 'request', asked)) workers.add(Number(pid))
  }
  return workers
}

function stop(workers: Iterable<number>): void {
  for (const pid of workers) {
    process.kill(pid, 'SIGSTOP')
    stopped.push(pid)
  }
}

async function stateOf({ admin }: Running): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${String(admin)}/readyz`)
  const { checks } = (await answer.json()) as { checks: { processes: string } }
  return `${String(answer.status)} ${checks.processes}`
}

async function untilState(service: Running, wanted: string): Promise<void> {
  while ((await stateOf(service)) !== wanted) await sleep(200)
}

// The tests run side by side, since each waits for half a minute.
test.concurrent('an instance whose workers do not answer is not ready, until they are replaced', async () => {
  const service = await start()
  const before = await workersOf(service)
  expect(await stateOf(service)).toBe('200 ok')
  stop(before)
  await untilState(service, '503 none listens')
  await untilState(service, '200 ok')
  expect(await ask(service)).toBe(200)
  for (const pid of before)
    expect(service.printed()).toContain(
      `"msg":"the worker ${String(pid)} has not answered for 30 s and is ended"`,
    )
})

test.concurrent('an instance with a worker that does not answer can be stopped', async () => {
  const service = await start()
  const [first = 0] = await workersOf(service)
  stop([first])
  service.process.kill('SIGTERM')
  expect(await service.end).toBe(0)
})

test.concurrent('a worker that the system does not let begin is tried again', async () => {
  const service = await start()
  const before = await workersOf(service)
  const { pid = 0 } = service.process
  const limitFiles = (most: number): void => {
    const args = ['--pid', String(pid), `--nofile=${String(most)}:`]
    expect(spawnSync('prlimit', args).status).toBe(0)
  }
  limitFiles(readdirSync(`/proc/${String(pid)}/fd`).length - 3)
  const [first = 0] = before
  process.kill(first, 'SIGKILL')
  while (!service.printed().includes('"msg":"a worker could not begin: spawn')) await sleep(50)
  limitFiles(1024)
  const pids = (): Set<unknown> =>
    new Set(
      service
        .printed()
        .split('\n')
        .filter((line) => line.includes('"msg":"request"'))
        .map((line) => (JSON.parse(line) as { pid: number }).pid),
    )
  while (pids().size < 3) {
    expect(await ask(service)).toBe(200)
    await sleep(50)
  }
  service.process.kill('SIGTERM')
  expect(await service.end).toBe(0)
})
