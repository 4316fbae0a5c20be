/** Runs work in a separate thread until the caller stops it, so that it does not delay this thread. */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * Starts a thread that runs the module at `url` with this data. The returned function stops it and returns its result;
 * if the thread fails, that function fails, too.
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

/** Call this in such a thread: it works until `stop` aborts, and then sends the result. */
export async function inThread(work: (data: never, stop: AbortSignal) => Promise<unknown>): Promise<void> {
  if (isMainThread) return
  const stop = new AbortController()
  parentPort?.once('message', () => {
    stop.abort()
  })
  parentPort?.postMessage('begun')
  parentPort?.postMessage(await work(workerData as never, stop.signal))
}
