/** Tries the ways to act, and says what the oracle expects of them. */
import { expect } from '@jest/globals'
import type { Service } from '../support/service.ts'
import { mayAct, type Identity, type Policy } from './oracle.ts'
import type { Target, Way } from './ways.ts'

export interface Trials {
  setPolicy(category: string, path: string, action: string, policy: Policy): Promise<unknown>
  /** Puts a value there as one of the identities. */
  giveValue(object: string, path: string, as: string): Promise<unknown>
  /** Tries a way. Returns the status, or `none` if a filtered way left the tag out. */
  attempt(way: Way, target: Target, who: Identity): Promise<string>
}

/** Trials on a service; each uses a fresh name for what it creates. */
export function createTrials(service: Service): Trials {
  let fresh = 0
  /** Whether the object has a value of the tag, as seen by the superuser. */
  const hasValue = async ({ object, path }: Target): Promise<boolean> =>
    (await service.request('GET', `/objects/${object}/${path}`, { as: 'service' })).status === 200

  return {
    setPolicy: (category, path, action, json) =>
      service.ok('PUT', `/permissions/${category}/${path}`, { as: 'service', query: { action }, json }),

    giveValue: (object, path, as) => service.ok('PUT', `/objects/${object}/${path}`, { as, primitive: '1' }),

    async attempt(way, target, who) {
      const mine = { ...target, fresh: `new-${String(fresh++)}` }
      if (way.given !== undefined) {
        const [earlier, at, sent] = way.given(mine)
        await service.ok(earlier, at, { ...sent, as: 'alice' })
      }
      const [method, path, options] = way.request(mine)
      const answer = await service.request(method, path, {
        ...options,
        ...(who !== 'anonymous' && { as: who }),
      })
      if (answer.status !== 401) {
        expect([way.name, who, answer.status]).toEqual([way.name, who, way.gives])
        if (way.filtered === undefined) return String(answer.status)
        return (await way.filtered(answer, mine, () => hasValue(mine))) ? String(answer.status) : 'none'
      }
      const named = who === 'anonymous' ? (way.anonymousPath?.(mine) ?? mine.path) : mine.path
      const [error, at] = [answer.error, answer.headers['x-service-path']]
      expect([way.name, who, error, at]).toEqual([way.name, who, 'TPathPermissionDenied', named])
      if (who !== 'anonymous') {
        const facts = [answer.headers['x-service-category'], answer.headers['x-service-action']]
        expect(facts).toEqual([way.category, way.action])
      }
      return '401'
    },
  }
}

/** The outcome that the oracle expects. */
export function expected(way: Way, policy: Policy, who: Identity): string {
  if (way.signedIn === true && who === 'anonymous') return '401'
  if (mayAct(who, way.action, policy)) return String(way.gives)
  return way.filtered === undefined ? '401' : 'none'
}
