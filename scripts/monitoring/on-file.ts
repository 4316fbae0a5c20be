/** Outages of an instance on a SQLite file, on a small disk. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { backUp, RunningInstance, startLoad } from './instance.ts'
import { replay } from './outages.ts'
import { Prometheus } from './prometheus.ts'

/** Mounts a small disk in the memory; whether that is possible here. */
function mounted(disk: string): boolean {
  mkdirSync(disk)
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'gloss-monitoring', disk]).status === 0
}

const BLOCK = Buffer.alloc(65_536)

/** Fills the disk with a new file; the service may use room of it meanwhile. */
function fillWith(file: string): void {
  const fd = openSync(file, 'w')
  try {
    for (;;) writeSync(fd, BLOCK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(fd)
  }
}

/** Replays the outages; returns what went wrong. */
export async function onFile(programs: string, folder: string): Promise<string[]> {
  const disk = join(folder, 'disk')
  if (!mounted(disk)) {
    console.log('Left out: a full disk, as this user may not mount one')
    return []
  }
  try {
    return await onDisk(programs, folder, disk)
  } finally {
    spawnSync('umount', [disk], { stdio: 'inherit' })
  }
}

async function onDisk(programs: string, folder: string, disk: string): Promise<string[]> {
  const databaseUrl = `sqlite:${join(disk, 'gloss.db')}`
  const instance = await RunningInstance.start(databaseUrl)
  const prometheus = await Prometheus.start(programs, join(folder, 'watching-file'), {
    gloss: [instance.admin],
  })
  const load = startLoad(`http://${instance.service}`)
  const others = join(disk, 'of-others')
  try {
    return await replay(prometheus, load.seen, [
      {
        name: 'there is no backup',
        fires: ['GlossBackupOld'],
        begin: () => undefined,
        end: () => backUp(databaseUrl, join(folder, 'of-file.gz')),
      },
      {
        name: 'the disk of a SQLite file is full',
        fires: ['GlossDiskLow', 'GlossFailing'],
        begin: () => {
          fillWith(others)
        },
        end: () => {
          rmSync(others)
        },
      },
      {
        name: 'the only instance is gone (SIGKILL)',
        fires: ['GlossNoneReady', 'GlossInstanceDown'],
        begin: () => instance.stop(),
        end: () => instance.restart(),
      },
    ])
  } finally {
    await load.stop()
    await prometheus.stop()
    await instance.stop()
  }
}
