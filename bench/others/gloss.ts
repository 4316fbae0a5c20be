/** Gloss itself as one of the compared services: an object with three values for each record. */
import { OWNER, type Fact } from '../catalogue.ts'
import { basic, HttpClient } from '../http.ts'
import { requestBytes } from '../load.ts'
import { ADMIN_PASSWORD, startGloss } from '../processes.ts'
import { expectStatus, objectsPath } from '../sides.ts'
import { PRIMITIVE_MEDIA_TYPE } from '../../src/model/tag-value.ts'
import type { Condition, RunningService } from './service.ts'

const RECORDS_AT_ONCE = 1_000
const [RATING, TITLE, TOPICS] = ['rating', 'title', 'topics'].map((name) => `${OWNER.username}/${name}`) as [
  string,
  string,
  string,
]

const about = (number: number): string => `fact:${number}`
const ratingPath = (number: number): string => `/about/${encodeURIComponent(about(number))}/${RATING}`
const queryOf = ({ from, to }: Condition): string => `${RATING} >= ${from} and ${RATING} <= ${to}`

/** Starts Gloss on an empty database. */
export async function startGlossService(
  databaseUrl: string,
  databasePids: readonly number[],
): Promise<RunningService> {
  const gloss = await startGloss(databaseUrl)
  const admin = new HttpClient(gloss.port, basic('service', ADMIN_PASSWORD))
  await expectStatus(admin, 201, 'POST', '/users', JSON.stringify(OWNER))
  admin.close()
  const client = new HttpClient(gloss.port, basic(OWNER.username, OWNER.password))
  const put = (queries: unknown[]): Promise<unknown> =>
    expectStatus(client, 204, 'PUT', '/values', JSON.stringify({ queries }))
  return {
    pids: { service: [gloss.pid], database: databasePids },
    async load(facts) {
      for (let start = 0; start < facts.length; start += RECORDS_AT_ONCE) {
        await put(facts.slice(start, start + RECORDS_AT_ONCE).map(elementOf))
      }
    },
    async readOne(number) {
      return Number((await expectStatus(client, 200, 'GET', ratingPath(number))).toString())
    },
    reading: (number) => ({
      port: gloss.port,
      request: requestBytes('GET', ratingPath(number), basic(OWNER.username, OWNER.password)),
    }),
    async writeOne(number, rating) {
      const headers = { 'Content-Type': PRIMITIVE_MEDIA_TYPE }
      const { status } = await client.send('PUT', ratingPath(number), { body: String(rating), headers })
      if (status !== 204) throw new Error(`PUT ${ratingPath(number)} gave ${status}`)
    },
    async find(condition) {
      const answer = await expectStatus(client, 200, 'GET', objectsPath(queryOf(condition)))
      return (JSON.parse(answer.toString()) as { ids: string[] }).ids.length
    },
    async bulkChange(condition, rating) {
      await put([[queryOf(condition), { [RATING]: { value: rating } }]])
      return undefined
    },
    async stop() {
      client.close()
      await gloss.stop()
    },
  }
}

const elementOf = ({ number, rating, title, topics }: Fact): unknown => [
  `service/about = ${JSON.stringify(about(number))}`,
  { [RATING]: { value: rating }, [TITLE]: { value: title }, [TOPICS]: { value: topics } },
]
