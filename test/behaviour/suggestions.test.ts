/** Suggestions: what a path or a value is completed to, best first, exact to the digit. */
import { beforeAll, describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, request } = useService()

const OBJECTS = Array.from({ length: 9 }, (_, i) => `0197a3c0-5a5a-7000-8000-00000000000${String(i)}`)

interface Suggested {
  readonly suggestions: readonly {
    readonly kind: string
    readonly path?: string
    readonly value?: unknown
    readonly count: number
    readonly exact: boolean
  }[]
  readonly complete: boolean
}

const suggested = async (query: Readonly<Record<string, string>>, as = 'alice'): Promise<Suggested> =>
  (await get('/search/suggest', { as, query })) as Suggested

const pathsFor = async (text: string): Promise<unknown[]> =>
  (await suggested({ text })).suggestions.map(({ kind, path }) => `${kind} ${path ?? ''}`)

const valuesOf = async (tag: string, text = '', limit = '100'): Promise<unknown[]> =>
  (await suggested({ tag, text, limit })).suggestions.map(({ value, count }) => [value, count])

describe('paths', () => {
  beforeAll(async () => {
    for (const path of ['alice/car', 'alice/scar', 'alice/Cars/car', 'alice/x/oscar', 'alice/x/CAR_port']) {
      await put(`/objects/${OBJECTS[0] ?? ''}/${path}`, '1')
    }
    for (const path of ['alice/100.5', 'alice/a_b', 'alice/axb', 'alice/Größe', 'alice/größer']) {
      await put(`/objects/${OBJECTS[0] ?? ''}/${encodeURIComponent(path)}`, '1')
    }
  })

  test('those in which a name begins with the text come first, then shorter ones, whatever their letter case', async () => {
    expect(await pathsFor('CAR')).toEqual([
      'namespace carol',
      'tag alice/car',
      'namespace alice/Cars',
      'tag alice/Cars/car',
      'tag alice/x/CAR_port',
      'tag alice/scar',
      'tag alice/x/oscar',
    ])
  })

  test('a text may go across names, and letters are those of all alphabets', async () => {
    expect(await pathsFor('s/c')).toEqual(['tag alice/Cars/car'])
    expect(await pathsFor('/car')).toEqual([
      'tag alice/car',
      'namespace alice/Cars',
      'tag alice/Cars/car',
      'tag alice/x/CAR_port',
    ])
    expect(await pathsFor('GRÖSS')).toEqual([])
    expect(await pathsFor('GRÖßE')).toEqual(['tag alice/Größe', 'tag alice/größer'])
  })

  test.each([
    ['a_b', ['tag alice/a_b']],
    ['0.5', ['tag alice/100.5']],
    ['%', []],
    ['|', []],
    ['*', []],
    ['a\0', []],
    ['x'.repeat(234), []],
  ])('nothing in a text stands for anything else: %j', async (text, paths) => {
    expect(await pathsFor(text)).toEqual(paths)
  })

  test('a namespace has what is directly in it', async () => {
    expect((await suggested({ text: 'alice/x', limit: '1' })).suggestions).toEqual([
      { kind: 'namespace', path: 'alice/x', count: 2, exact: true },
    ])
  })

  test('what is deleted is gone', async () => {
    await ok('DELETE', '/tags/alice/scar', { as: 'alice' })
    expect(await pathsFor('scar')).toEqual(['tag alice/x/oscar'])
  })
})

describe('values', () => {
  const LONG = 'these are more than 24 octets'

  beforeAll(async () => {
    for (const [i, text] of ['1', '1.0', '5.0', '9007199254740993', 'true', 'null', '"b"', '"b"'].entries()) {
      await put(`/objects/${OBJECTS[i] ?? ''}/alice/any`, text)
    }
    await put(`/objects/${OBJECTS[8] ?? ''}/alice/any`, '["b"]')
    for (const [i, text] of [
      LONG,
      `${LONG}, too`,
      `${LONG}, too`,
      'these',
      'These',
      'x'.repeat(600),
    ].entries()) {
      await put(`/objects/${OBJECTS[i] ?? ''}/alice/text`, JSON.stringify(text))
    }
  })

  test('are of every type but lists, with numbers as they are stored', async () => {
    const answer = await request('GET', '/search/suggest', { as: 'alice', query: { tag: 'alice/any' } })
    expect(answer.body.toString()).toBe(
      '{"suggestions":[' +
        [
          '{"kind":"value","value":1,"count":2,"exact":true}',
          '{"kind":"value","value":"b","count":2,"exact":true}',
          '{"kind":"value","value":null,"count":1,"exact":true}',
          '{"kind":"value","value":true,"count":1,"exact":true}',
          '{"kind":"value","value":5.0,"count":1,"exact":true}',
          '{"kind":"value","value":9007199254740993,"count":1,"exact":true}',
        ].join(',') +
        '],"complete":true}',
    )
  })

  test('with a text are the strings that begin with it, however long it is', async () => {
    expect(await valuesOf('alice/text', 'these')).toEqual([
      [`${LONG}, too`, 2],
      ['these', 1],
      [LONG, 1],
    ])
    expect(await valuesOf('alice/text', 'These')).toEqual([['These', 1]])
    expect(await valuesOf('alice/text', `${LONG},`)).toEqual([[`${LONG}, too`, 2]])
    expect(await valuesOf('alice/text', `${LONG};`)).toEqual([])
    expect(await valuesOf('alice/any', '1')).toEqual([])
  })

  test('that are too long for a line are left out', async () => {
    expect(await valuesOf('alice/text', 'xx')).toEqual([])
  })

  test('are no more than asked for, the most frequent ones', async () => {
    expect(await valuesOf('alice/text', '', '1')).toEqual([[`${LONG}, too`, 2]])
  })
})
