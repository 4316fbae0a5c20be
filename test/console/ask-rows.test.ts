/** The list of rows behind the table of results, on pages that a test answers. */
import { expect, test } from '@jest/globals'
import { exportAll, NDJSON } from '../../console/src/ask/export.ts'
import { Rows, type FetchPage, type PageAsked } from '../../console/src/ask/rows.ts'
import type { Found, Page } from '../../console/src/service/page.ts'
import { parseExact } from '../../packages/client/json.ts'
import type { Cell } from '../../common/values.ts'

const object = (at: number): Found => ({ id: String(at), about: `object ${at}`, values: {} })

/** A service with objects in an order, of which cursors say how many come before. */
class Pages {
  readonly asked: PageAsked[] = []
  objects: Found[]
  refusing: Error | undefined

  constructor(count: number) {
    this.objects = Array.from({ length: count }, (_, at) => object(at))
  }

  readonly fetch: FetchPage = async (asked) => {
    this.asked.push(asked)
    if (this.refusing !== undefined) throw this.refusing
    const from = Number(asked.cursor ?? 0)
    const to = from + asked.limit
    return {
      count: asked.count === 'exact' ? this.objects.length : undefined,
      exact: true,
      results: this.objects.slice(from, to),
      next: to < this.objects.length ? String(to) : undefined,
    } satisfies Page
  }
}

/** Waits until a list has nothing to do. */
const settled = (rows: Rows): Promise<void> =>
  new Promise((resolve) => {
    const stop = rows.state.subscribe(({ loading, known, complete, error }) => {
      if (loading || (known === 0 && !complete && error === undefined)) return
      resolve()
      queueMicrotask(() => stop())
    })
  })

async function look(rows: Rows, from: number, to: number): Promise<void> {
  rows.need(from, to)
  await settled(rows)
}

test('counts what fits into a page without asking again', async () => {
  const pages = new Pages(7)
  const rows = new Rows(pages.fetch)
  await look(rows, 0, 30)
  expect(rows.state.value).toMatchObject({ known: 7, complete: true, count: 7, error: undefined })
  expect(pages.asked).toHaveLength(1)
})

test('shows a sample until the first page is there, and none of it after', async () => {
  const pages = new Pages(300)
  const sample = [object(7), object(8)]
  const rows = new Rows(pages.fetch, sample)
  expect(rows.first(10)).toEqual(sample)
  expect([rows.at(1), rows.state.value.known, rows.outcome.value]).toEqual([object(8), 0, 'unknown'])
  await look(rows, 0, 30)
  expect([rows.at(0), rows.at(99), rows.outcome.value]).toEqual([object(0), object(99), 'some'])
  expect(rows.count.value).toBe(300)
})

test('says whether there is anything to show', async () => {
  const none = new Rows(new Pages(0).fetch)
  await look(none, 0, 30)
  expect(none.outcome.value).toBe('none')
  const pages = new Pages(300)
  pages.refusing = new Error('refused')
  const failed = new Rows(pages.fetch, [object(1)])
  await look(failed, 0, 30)
  expect(failed.outcome.value).toBe('failed')
})

test('shows rows before it counts, and fetches no more than is looked at and a little ahead', async () => {
  const pages = new Pages(100_000)
  const rows = new Rows(pages.fetch)
  await look(rows, 0, 30)
  expect(pages.asked.map(({ count }) => count)).toEqual(['upto:1', 'exact', 'upto:1'])
  expect(rows.state.value).toMatchObject({ known: 300, complete: false, count: 100_000 })
  await look(rows, 250, 280)
  expect(rows.state.value.known).toBe(500)
})

test('gets to a far row by large pages, in order', async () => {
  const pages = new Pages(20_000)
  const rows = new Rows(pages.fetch)
  await look(rows, 15_000, 15_030)
  expect(rows.at(15_029)?.id).toBe('15029')
  expect(rows.first(20_000).map(({ id }) => Number(id))).toEqual([...Array(rows.state.value.known).keys()])
  expect(pages.asked.length).toBeLessThan(22)
})

test('knows many rows that nobody could count', async () => {
  const pages = new Pages(1000)
  const fetch: FetchPage = async (asked, signal) => {
    if (asked.count === 'exact') throw Object.assign(new Error('too many'), { status: 413 })
    return pages.fetch(asked, signal)
  }
  const rows = new Rows(fetch)
  await look(rows, 0, 30)
  expect(rows.state.value).toMatchObject({ count: 'too many', known: 300, error: undefined })
})

test('goes on after a failure where it was', async () => {
  const pages = new Pages(1000)
  const rows = new Rows(pages.fetch)
  await look(rows, 0, 30)
  pages.refusing = new Error('gone')
  await look(rows, 290, 310)
  expect(rows.state.value.error).toBe(pages.refusing)
  expect(rows.at(299)?.id).toBe('299')
  pages.refusing = undefined
  rows.retry()
  await settled(rows)
  expect(rows.at(309)?.id).toBe('309')
})

test('replaces what changed meanwhile, and keeps what did not', async () => {
  const pages = new Pages(1000)
  const rows = new Rows(pages.fetch)
  await look(rows, 0, 600)
  pages.objects[450] = { ...object(450), about: 'renamed' }
  await look(rows, 440, 460)
  rows.refresh()
  await settled(rows)
  expect([rows.at(449)?.about, rows.at(450)?.about]).toEqual(['object 449', 'renamed'])
  pages.objects.splice(300, 600)
  rows.need(290, 310)
  rows.refresh()
  await settled(rows)
  expect(rows.state.value).toMatchObject({ known: 400, complete: true, count: 400 })
  expect(rows.at(300)?.id).toBe('900')
})

test('stops when nobody looks any more', async () => {
  const pages = new Pages(100_000)
  const rows = new Rows(pages.fetch)
  rows.need(90_000, 90_010)
  rows.stop()
  await new Promise(setImmediate)
  const { length } = pages.asked
  await new Promise(setImmediate)
  expect(pages.asked).toHaveLength(length)
  expect(rows.state.value.loading).toBe(false)
})

test('exports each object once, digit by digit, until it is cancelled', async () => {
  const pages = new Pages(2500)
  const large = parseExact('[9223372036854775807, 5.0]') as Cell[]
  pages.objects[0] = {
    id: 'a',
    about: null,
    values: { 'a/int': large[0], 'a/float': large[1], 'a/file': { 'value-type': 'image/png', size: 7 } },
  }
  const progress: number[] = []
  const exported = {
    columns: ['a/int', 'a/float', 'a/file', 'a/none'],
    format: NDJSON,
    fetch: pages.fetch,
    onProgress: (done: number) => progress.push(done),
  }
  const text = (await exportAll(exported, new AbortController().signal)).join('')
  const lines = text.split('\n')
  expect(lines[0]).toBe(
    '{"id":"a","a/int":9223372036854775807,"a/float":5.0,"a/file":{"value-type":"image/png","size":7}}',
  )
  expect(lines.slice(1, -1).map((line) => (JSON.parse(line) as Found).id)).toEqual(
    pages.objects.slice(1).map(({ id }) => id),
  )
  expect(progress).toEqual([100, 1100, 2100, 2500])
  const cancel = new AbortController()
  const cancelled = exportAll({ ...exported, onProgress: () => cancel.abort() }, cancel.signal)
  await expect(cancelled).rejects.toThrow('abort')
})
