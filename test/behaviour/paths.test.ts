/** Names, paths and about values in URLs: percent-encoded UTF-8, compared byte by byte, never normalised. */
import { describe, expect, test } from '@jest/globals'
import { useService } from './use-service.ts'

const { ok, put, get, find, about, status } = useService()

/** Four about values, also used as names, that a careless database would confuse. */
const LOOKALIKES = ['a', 'A', 'á'.normalize('NFC'), 'á'.normalize('NFD')]

describe('slashes', () => {
  const description = 'for tests'
  const described = { as: 'alice', query: 'returnDescription=true' }

  test('the slashes of a path are literal or %2F, in any mix', async () => {
    await put('/about/x/alice%2Fone/two%2Fthree', '5')
    for (const path of ['alice/one/two/three', 'alice%2Fone%2Ftwo%2Fthree', 'alice/one%2ftwo/three']) {
      expect((await ok('GET', `/about/x/${path}`)).body.toString()).toBe('5')
      expect(await status('GET', `/tags/${path}`)).toBe('200')
      expect(await status('GET', `/permissions/tags/${path}?action=update`, { as: 'alice' })).toBe('200')
      expect(await status('GET', `/permissions/tag-values/${path}?action=read`, { as: 'alice' })).toBe('200')
    }
    await ok('PUT', '/namespaces/alice%2Fone/two', { as: 'alice', json: { description } })
    for (const path of ['alice/one/two', 'alice%2Fone%2Ftwo', 'alice/one%2Ftwo']) {
      expect(await get(`/namespaces/${path}`, described)).toMatchObject({ description })
      expect(await status('GET', `/permissions/namespaces/${path}?action=list`, { as: 'alice' })).toBe('200')
    }
  })

  test('in an about value a slash is sent as %2F and a literal %2F as %252F', async () => {
    const ids = await Promise.all(['a/b', 'a%2Fb', 'a%252Fb', 'a/', 'a', '/'].map(about))
    expect(new Set(ids).size).toBe(ids.length)
    await put('/about/a%2Fb/alice/slash', '1')
    await put('/about/a%252Fb/alice/slash', '2')
    await put('/about/a%25252Fb/alice%2Fslash', '3')
    await put('/about/%2F/alice/slash/', '4')
    const values = await Promise.all(
      [0, 1, 2, 5].map(async (i) =>
        (await ok('GET', `/objects/${ids[i] ?? ''}/alice/slash`)).body.toString(),
      ),
    )
    expect(values).toEqual(['1', '2', '3', '4'])
    expect(await find('service/about = "a/b"')).toEqual([ids[0]])
    expect(await find('service/about = "a%2Fb"')).toEqual([ids[1]])
  })

  test('a trailing slash is ignored', async () => {
    await put('/about/end/alice/end/', '1')
    expect((await ok('GET', '/about/end/alice/end')).body.toString()).toBe('1')
    expect(await get('/about/end/')).toEqual(await get('/about/end'))
    expect(await get('/users/alice/')).toEqual(await get('/users/alice'))
    expect(await get('/namespaces/alice/')).toEqual(await get('/namespaces/alice'))
    expect(await about('end/')).not.toBe(await about('end'))
  })

  test('an empty segment makes a path malformed', async () => {
    expect(await status('GET', '/tags/alice//end')).toBe('404 TNonexistentTag')
    expect(await status('GET', '/tags//alice/end')).toBe('404 TNonexistentTag')
    expect(await status('PUT', '/about/x/alice//end', { as: 'alice', primitive: '1' })).toBe(
      '400 TInvalidPath',
    )
  })
})

describe('about values', () => {
  test.each([
    ' ',
    '+',
    'a+b c',
    '%',
    '%41',
    '?#[]@!$&\'()*,;="',
    'https://example.org/path?q=1&r=2#part',
    'line\nbreak\ttab\r',
    '日本語 😀 \u202e',
    '.',
    '..',
    '{"json":[null]}',
    '__proto__',
    '\u{10ffff}\ufffe',
    'ß',
    '<script>',
    '\\ \\" "',
  ])('%j comes back unchanged', async (value) => {
    const encoded = encodeURIComponent(value).replaceAll('.', '%2E')
    const created = (await ok('POST', `/about/${encoded}`, { as: 'alice' })).json() as { id: string }
    expect(await get(`/about/${encoded}`)).toMatchObject({ id: created.id })
    expect(await get(`/objects/${created.id}`, { query: 'showAbout=true' })).toMatchObject({ about: value })
    const literal = `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    expect(await find(`service/about = ${literal}`)).toEqual([created.id])
    expect(JSON.parse((await ok('GET', `/about/${encoded}/service/about`)).body.toString())).toBe(value)
  })

  test('are exact: look-alikes name different objects', async () => {
    const values = [...LOOKALIKES, 'a ', ' a', 'a\t', 'ａ', 'a\u200d', 'а', 'ss', 'ß', 'ſs']
    const ids = await Promise.all(values.map(about))
    expect(new Set(ids).size).toBe(values.length)
    for (const [i, value] of values.entries()) {
      expect(await find(`service/about = "${value}"`)).toEqual([ids[i]])
      expect(await about(value)).toBe(ids[i])
    }
  })
})

describe('names', () => {
  test.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'a:b.c-d_e',
    '-',
    '_',
    '...',
    'has',
    '5',
    'größe',
    '日本',
    'é'.normalize('NFD'),
    '٣',
    '𝔘',
    '\u0301x',
  ])('%s can name a tag and a namespace', async (name) => {
    const encoded = encodeURIComponent(name)
    const description = `about ${name}`
    const made = await ok('POST', '/namespaces/alice', { as: 'alice', json: { name, description } })
    expect(made.headers.location?.endsWith(`/namespaces/alice/${encoded}`)).toBe(true)
    await ok('POST', `/tags/alice/${encoded}`, { as: 'alice', json: { name, description, indexed: true } })
    const id = await about(`about ${name}`)
    const path = `alice/${name}/${name}`
    await put(`/objects/${id}/alice/${encoded}/${encoded}`, '5')
    expect(
      await get(`/namespaces/alice/${encoded}`, { query: 'returnTags=1&returnDescription=1' }),
    ).toMatchObject({
      description,
      tagNames: [name],
    })
    expect(await get(`/objects/${id}`)).toEqual({ tagPaths: [path, 'service/about'] })
    expect(await find(`has ${path} and ${path} = 5`)).toEqual([id])
    const found = await get('/values', { query: { query: `has ${path}`, tag: path } })
    expect(found).toMatchObject({ results: { id: { [id]: { [path]: { value: 5 } } } } })
  })

  test('are exact: look-alikes name different tags', async () => {
    const id = await about('look-alike tags')
    for (const [i, name] of LOOKALIKES.entries()) {
      await put(`/objects/${id}/alice/alike/${encodeURIComponent(name)}`, String(i))
    }
    const { tagPaths } = (await get(`/objects/${id}`)) as { tagPaths: string[] }
    expect(tagPaths).toHaveLength(LOOKALIKES.length + 1)
    for (const [i, name] of LOOKALIKES.entries()) {
      expect(
        (await ok('GET', `/objects/${id}/alice/alike/${encodeURIComponent(name)}`)).body.toString(),
      ).toBe(String(i))
      expect(await find(`alice/alike/${name} = ${String(i)}`)).toEqual([id])
    }
  })

  test('the first component of a path is a user name, in any letter case', async () => {
    const id = await about('folded')
    await put(`/objects/${id}/ALICE/folded/Tag`, '1')
    expect(await get(`/objects/${id}`)).toEqual({ tagPaths: ['alice/folded/Tag', 'service/about'] })
    expect(await find('Alice/folded/Tag = 1')).toEqual([id])
    await ok('PUT', '/values', {
      as: 'alice',
      json: { queries: [['aLICE/folded/Tag = 1', { 'ALIcE/folded/Tag': { value: 2 } }]] },
    })
    expect((await ok('GET', `/objects/${id}/alice/folded/Tag`)).body.toString()).toBe('2')
    expect(await status('GET', `/objects/${id}/alice/Folded/Tag`)).toBe('404 TNonexistentTag')
    const answer = await get('/values', { query: { query: 'has alice/folded/Tag', tag: 'alice/folded/Tag' } })
    expect(answer).toMatchObject({ results: { id: { [id]: { 'alice/folded/Tag': { value: 2 } } } } })
  })
})
