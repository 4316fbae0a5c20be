/** Reads from one instance the values that another instance has just acknowledged. */
import { Asking, type Answer, type Asked } from './asking.ts'
import { Tally } from './history.ts'
import { NAMESPACE } from './rules.ts'

/** Makes a change, and returns the status or text that the next instance answers, and the right one. */
type Trial = (turn: number) => Promise<readonly [answered: string, right: string]>

const VALUE = `/about/stale/${NAMESPACE}/stale`
const SECRET = `/permissions/tag-values/${NAMESPACE}/stale?action=read`

/** The trials by name. Each request goes to the next instance. */
function trialsOf(asking: Asking): Readonly<Record<string, Trial>> {
  const read = (path: string, asked?: Asked): Promise<Answer> => asking.ask('read', 'GET', path, asked)
  const surely = async (method: string, path: string, asked?: Asked): Promise<void> => {
    const { outcome, status, text } = await asking.ask('write', method, path, asked)
    if (outcome !== 'done') throw new Error(`${method} ${path}: ${String(status)} ${text}`)
  }
  return {
    'values replaced': async (turn) => {
      await surely('PUT', VALUE, { value: String(turn) })
      return [(await read(VALUE)).text, String(turn)]
    },
    'objects and tags made': async (turn) => {
      const path = `/about/new:${String(turn)}/${NAMESPACE}/new-${String(turn)}`
      await surely('PUT', path, { value: '1' })
      return [String((await read(path)).status), '200']
    },
    'permissions closed': async () => {
      await surely('PUT', SECRET, { json: { policy: 'open', exceptions: [] } })
      await surely('PUT', SECRET, { json: { policy: 'closed', exceptions: [] } })
      return [String((await read(VALUE, { as: '' })).status), '401']
    },
    'tags deleted': async (turn) => {
      const tag = `${NAMESPACE}/gone-${String(turn)}`
      await surely('PUT', `/about/gone/${tag}`, { value: '1' })
      await surely('DELETE', `/tags/${tag}`)
      return [String((await read(`/about/gone/${tag}`)).status), '404']
    },
  }
}

/** Runs each trial that many times; prints and returns the number of wrong answers. */
export async function countStale(urls: readonly string[], times: number): Promise<number> {
  const trials = Object.entries(trialsOf(new Asking(urls, new Tally())))
  let all = 0
  for (const [name, trial] of trials) {
    let stale = 0
    for (let turn = 0; turn < times; turn++) {
      const [answered, right] = await trial(turn)
      if (answered !== right) stale++
    }
    console.log(`${name.padEnd(22)} ${String(stale)} of ${String(times)} stale`)
    all += stale
  }
  return all
}
