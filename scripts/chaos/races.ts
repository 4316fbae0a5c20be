/** Concurrent requests of which only one may succeed, and reads that must not see things after their removal. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../test/search/random.ts'
import type { Answer, Asking } from './asking.ts'
import type { Tally } from './history.ts'
import { NAMESPACE } from './rules.ts'

/** One round of a client. */
export type Round = () => Promise<void>

/** The clients, random choices, tally and end of the races. */
export interface Races {
  readonly asking: Asking
  readonly random: Random
  readonly tally: Tally
  readonly signal: AbortSignal
}

/**
 * The pause between two rounds with deliberately wrong passwords, in milliseconds: the service throttles more than ten
 * per minute for one name.
 */
const PACE_MS = 7000

/** All rounds of races; each has its own things. */
export function racing(own: () => Races): Round[] {
  return [
    abouts(own()),
    families(own(), 'tags'),
    families(own(), 'namespaces'),
    exceptions(own()),
    tagsDeleted(own()),
    passwords(own()),
    users(own()),
  ]
}

/** Sends the same request to all instances concurrently. */
const toAll = (asking: Asking, send: () => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: asking.instances }, send))

/** All clients create an object with the same about value. */
function abouts({ asking, tally }: Races): Round {
  let turn = 0
  return async () => {
    const about = `race ${String(turn++)}`
    const answers = await toAll(asking, () => asking.ask('object', 'POST', '/objects', { json: { about } }))
    const made = answers.filter(({ outcome }) => outcome === 'done')
    const ids = new Set(made.map(({ text }) => (JSON.parse(text) as { id: string }).id))
    if (ids.size === 0) return
    const query = encodeURIComponent(`service/about = "${about}"`)
    const { status, text } = await asking.ask('query', 'GET', `/objects?query=${query}`)
    if (status === 200) for (const id of (JSON.parse(text) as { ids: string[] }).ids) ids.add(id)
    tally.check('an about value has one object', ids.size === 1, `${about}: ${[...ids].join(', ')}`)
  }
}

/** A client creates something in a namespace while another one deletes the namespace. */
function families({ asking, tally }: Races, children: 'tags' | 'namespaces'): Round {
  let turn = 0
  return async () => {
    const name = `family-of-${children}-${String(turn++)}`
    const path = `${NAMESPACE}/${name}`
    await asking.ask('namespace', 'POST', `/namespaces/${NAMESPACE}`, { json: { name, description: '' } })
    const child = { name: 'child', description: '', ...(children === 'tags' && { indexed: false }) }
    const [made] = await Promise.all([
      asking.ask('child', 'POST', `/${children}/${path}`, { json: child }),
      asking.ask('namespace deleted', 'DELETE', `/namespaces/${path}`),
    ])
    if (made.outcome !== 'done') return
    const { status } = await asking.ask('look', 'GET', `/namespaces/${path}`)
    if (status !== 200 && status !== 404) return
    tally.check('nothing is in a namespace that is not there', status === 200, `${children} in ${path}`)
  }
}

/** Two clients replace a list of exceptions. */
function exceptions({ asking, tally, signal }: Races): Round {
  const where = `/permissions/tag-values/${NAMESPACE}/listed?action=read`
  const set = (users: readonly string[]): Promise<Answer> =>
    asking.ask('exceptions', 'PUT', where, { json: { policy: 'closed', exceptions: users } })
  let prepared = false
  return async () => {
    if (!prepared) {
      for (const username of ['ann', 'ben'])
        await asking.surely(
          'POST',
          '/users',
          { json: { username, password: `the word of ${username}` } },
          signal,
        )
      await asking.surely('PUT', `/about/listed/${NAMESPACE}/listed`, { value: '1' }, signal)
      prepared = true
    }
    await set([])
    const [one, other] = await Promise.all([set(['ann']), set(['ben'])])
    if (one.outcome !== 'done' || other.outcome !== 'done') return
    const { status, text } = await asking.ask('look', 'GET', where)
    if (status !== 200) return
    const listed = (JSON.parse(text) as { exceptions: string[] }).exceptions
    tally.check('of two lists of exceptions one counts', listed.length <= 1, listed.join(', '))
  }
}

/** A client deletes a tag and creates it again. */
function tagsDeleted({ asking, tally }: Races): Round {
  let turn = 0
  return async () => {
    const tag = `${NAMESPACE}/doomed-${String(turn++)}`
    const value = `/about/doomed/${tag}`
    const look = async (): Promise<void> => {
      for (const { status } of await toAll(asking, () => asking.ask('look', 'GET', value)))
        if (status !== 0 && status < 500)
          tally.check('a deleted tag has no values', status === 404, `${value}: ${String(status)}`)
    }
    if ((await asking.ask('write', 'PUT', value, { value: '1' })).outcome !== 'done') return
    if ((await asking.ask('tag deleted', 'DELETE', `/tags/${tag}`)).outcome !== 'done') return
    await look()
    await asking.ask('write', 'PUT', `/about/another/${tag}`, { value: '2' })
    await look()
  }
}

const pause = (signal: AbortSignal): Promise<unknown> =>
  sleep(PACE_MS, undefined, { signal }).catch(() => undefined)

/** A client changes a password: after the acknowledgement, the old one is wrong and the new one right. */
function passwords({ asking, random, tally, signal }: Races): Round {
  const path = '/users/chaotic'
  const set = async (password: string): Promise<boolean> =>
    (await asking.ask('password', 'PUT', path, { json: { password } })).outcome === 'done'
  const signIn = (password: string): Promise<Answer> =>
    asking.ask('sign-in', 'GET', path, { as: 'chaotic', password })
  let made = false
  return async () => {
    await pause(signal)
    const [before, next] = [`before ${String(random.next())}`, `after ${String(random.next())}`]
    if (!made)
      await asking.surely('POST', '/users', { json: { username: 'chaotic', password: before } }, signal)
    made = true
    if (!(await set(before))) return
    const first = await signIn(before)
    if (first.outcome !== 'unknown')
      tally.check('a new password is right', first.status === 200, String(first.status))
    if (!(await set(next))) return
    const [old, now] = [await signIn(before), await signIn(next)]
    if (old.outcome !== 'unknown' && old.status !== 429)
      tally.check('an old password is wrong', old.status === 401, String(old.status))
    if (now.outcome !== 'unknown')
      tally.check('a new password is right', now.status === 200, String(now.status))
  }
}

/** A client creates a user and deletes it. */
function users({ asking, tally, signal }: Races): Round {
  let turn = 0
  return async () => {
    await pause(signal)
    const username = `user-${String(turn++)}`
    const json = { username, password: `the word of ${username}` }
    const signIn = (): Promise<Answer> =>
      asking.ask('sign-in', 'GET', `/users/${username}`, { as: username, password: json.password })
    if ((await asking.ask('user', 'POST', '/users', { json })).outcome !== 'done') return
    const known = await signIn()
    if (known.outcome !== 'unknown')
      tally.check('a user is known', known.status === 200, String(known.status))
    if ((await asking.ask('user deleted', 'DELETE', `/users/${username}`)).outcome !== 'done') return
    const gone = await signIn()
    if (gone.outcome !== 'unknown')
      tally.check('a deleted user is not known', gone.status === 401, String(gone.status))
  }
}
