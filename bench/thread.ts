/** Work that goes on in a thread of its own until it is told to stop, so that it delays nobody in this one. */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * Starts the thread whose program is the module at `url`, with data for it. The function that comes back stops it and
 * gives what it says at its end. Should the thread fail, this fails, too.
 */
export async function startThread<Result>(url: string, data: unknown): Promise<() => Promise<Result>> {
  const worker = new Worker(new URL(url), { workerData: data })
  await once(worker, 'message')
  return async () => {
    const exit = once(worker, 'exit')
    const said = once(worker, 'message')
    worker.postMessage('stop')
    const [result] = (await said) as [Result]
    await exit
    return result
  }
}

/** In such a thread, and only there: works until `stop` is aborted, and says what came of it. */
export async function inThread(work: (data: never, stop: AbortSignal) => Promise<unknown>): Promise<void> {
  if (isMainThread) return
  const stop = new AbortController()
  parentPort?.once('message', () => {
    stop.abort()
  })
  parentPort?.postMessage('begun')
  parentPort?.postMessage(await work(workerData as never, stop.signal))
}
