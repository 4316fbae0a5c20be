/** The mock answers as the service does, but for the differences that are listed with their reasons. */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { outcomeOf, readRequests } from './alike.ts'
import { startBase, type Base } from './bases.ts'

/** How the answers to a request differ. */
interface Difference {
  readonly request: string
  readonly service: string
  readonly mock: string
}

/** Differences that have one reason. */
interface Group {
  readonly difference: string
  readonly reason: string
  readonly requests: readonly Difference[]
}

const FILE = new URL('differences.json', import.meta.url)
const listed = JSON.parse(readFileSync(FILE, 'utf8')) as Group[]

/** The listed groups with the answers that were found; requests that are no longer answered differently are left out. */
const renewed = (found: readonly Difference[]): Group[] =>
  listed.map((group) => ({
    ...group,
    requests: group.requests.flatMap(({ request }) => found.filter((one) => one.request === request)),
  }))

describe('the mock and the service', () => {
  let mock: Base
  let service: Base
  beforeAll(async () => {
    mock = await startBase('mock')
    service = await startBase('service')
  })
  afterAll(async () => {
    await mock.stop()
    await service.stop()
  })

  test('answer the same requests alike, except where that takes data', async () => {
    const requests = readRequests()
    expect(requests.length).toBeGreaterThanOrEqual(300)
    const found: Difference[] = []
    for (const request of requests) {
      const answers = {
        service: await outcomeOf(service.url, request),
        mock: await outcomeOf(mock.url, request),
      }
      if (answers.service !== answers.mock) found.push({ request: request.text, ...answers })
    }
    // A new difference needs a reason, so it is not written.
    if (process.env['UPDATE_DIFFERENCES'] !== undefined) {
      writeFileSync(FILE, `${JSON.stringify(renewed(found), undefined, 2)}\n`)
    }
    const inOrder = (differences: readonly Difference[]) =>
      differences.toSorted((a, b) => (a.request < b.request ? -1 : 1))
    expect(inOrder(found)).toEqual(inOrder(listed.flatMap(({ requests }) => requests)))
  })
})

test('the page about the mock has each difference and its reason', () => {
  const page = readFileSync(new URL('../../docs/mock.md', import.meta.url), 'utf8')
  const rows = [...page.matchAll(/^\| (.*?) +\| (.*?) +\| `(.*?)` +\| .* \|$/gm)].map(([, ...cells]) => cells)
  const wanted = listed.map(({ difference, reason, requests }) => [difference, reason, requests[0]?.request])
  expect(rows).toEqual(wanted)
})
