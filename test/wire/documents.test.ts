/** The contract as the service serves it: the same in all forms, with the URL that the client uses, and linked to. */
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { toOpenApi30 } from '../../src/documents/openapi30.ts'
import { apiOf, publish } from '../../src/documents/published.ts'
import { readContract } from '../../src/http/contract/contract.ts'
import { ERRORS } from '../../src/model/errors.ts'
import { VERSION } from '../../src/settings/version.ts'
import { errorLink } from '../support/contract-judge.ts'
import { OPERATION_NAMES, sampleOf, targetOf } from '../support/samples.ts'
import { ask, useService } from './raw-requests.ts'

const FORMS = ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json']

const document = async (url: string, path: string, headers: Record<string, string> = {}): Promise<object> =>
  parse((await ask(url, 'GET', path, { headers })).body.toString()) as object

describe('without configuration', () => {
  const setting = useService()

  test.each(['', `?version=${VERSION}`, '?view=api', `?view=api&version=${VERSION}`])(
    'each form%s is the published contract, except for its servers',
    async (query) => {
      const { url } = setting()
      const published = publish(contractAt(url))
      const expected = query.includes('view') ? apiOf(published) : published
      expect(await document(url, `/openapi.json${query}`)).toEqual(expected)
      expect(await document(url, `/openapi.yaml${query}`)).toEqual(expected)
      expect(await document(url, `/openapi-3.0.json${query}`)).toEqual(toOpenApi30(expected))
    },
  )

  test('a version that does not exist is refused with those that do', async () => {
    const { headers } = await ask(setting().url, 'GET', '/openapi.json?version=0.0.1')
    expect(headers['x-service-message']).toMatch(new RegExp(`must be one of .*\\b${VERSION}$`))
  })

  test.each(FORMS)('%s names the host that the client names', async (path) => {
    for (const host of ['gloss.example', 'gloss.example:8080', '[::1]:8080', 'a~b.example']) {
      const served = await document(setting().url, path, { host })
      expect(served).toHaveProperty('servers', [{ url: expect.stringMatching(`^http://`) as unknown }])
      expect(decodeURI((served as { servers: [{ url: string }] }).servers[0].url)).toBe(`http://${host}`)
    }
  })

  test.each([...FORMS, '/openapi.json?view=api', '/docs'])(
    '%s has an entity tag that changes with its content',
    async (path) => {
      const tag = async (host: string): Promise<string | undefined> =>
        (await ask(setting().url, 'GET', path, { headers: { host } })).headers.etag
      const etag = await tag('a.example')
      expect(await tag('a.example')).toBe(etag)
      expect(await tag('b.example')).not.toBe(etag)
      for (const [condition, status] of [
        [etag, 304],
        [`W/${etag ?? ''}`, 304],
        [`"x", ${etag ?? ''}`, 304],
        ['"x"', 200],
      ] as const) {
        const headers = { host: 'a.example', 'if-none-match': condition ?? '' }
        const answer = await ask(setting().url, 'GET', path, { headers })
        expect([condition, answer.status, answer.headers.etag]).toEqual([condition, status, etag])
        expect(answer.body.length === 0).toBe(status === 304)
      }
    },
  )

  test.each(OPERATION_NAMES)('%s links to the contract and the reference', async (name) => {
    const { url, service } = setting()
    const sample = await sampleOf(service, name)
    const { as, body, type } = sample
    const answer = await ask(url, sample.method, targetOf(sample), {
      ...(as !== undefined && { as }),
      ...(body !== undefined && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    })
    expect([answer.status, answer.headers.link]).toEqual([sample.status, linksOf(url)])
  })

  test('the reference has what tags and errors lead to, and each version in each form', async () => {
    const { url } = setting()
    const page = (await ask(url, 'GET', '/docs')).body.toString()
    const { tags } = (await document(url, '/openapi.json')) as { tags: { externalDocs: { url: string } }[] }
    const anchors = [
      ...tags.map(({ externalDocs }) => externalDocs.url.replace(`${url}/docs#`, '')),
      ...Object.keys(ERRORS).flatMap((name) => (name === 'WrongCredentials' ? [] : [`error-${name}`])),
    ]
    expect(anchors.filter((anchor) => !page.includes(`id="${anchor}"`))).toEqual([])
    expect(anchors).toContain('queries')
    for (const form of FORMS) expect(page).toContain(`href="${form}?version=${VERSION}"`)
  })

  test('the answer to OPTIONS has these links, and errors name the version, too', async () => {
    const { url } = setting()
    expect((await ask(url, 'OPTIONS', '/objects')).headers.link).toBe(linksOf(url))
    expect((await ask(url, 'GET', '/nowhere')).headers.link).toBe(errorLink(url, 'NoSuchResource'))
  })
})

/** The contract as a service at an address has it. */
function contractAt(base: string): object {
  const linked = readContract((key, value) =>
    key === 'externalDocs' ? { ...(value as Link), url: docsAt(base, value as Link) } : value,
  )
  return { ...linked, servers: [{ url: base }] }
}

interface Link {
  readonly url: string
}

const docsAt = (base: string, { url }: Link): string => url.replace('http://127.0.0.1:8080', base)

const linksOf = (base: string): string =>
  `<${base}/openapi.json>; rel="service-desc"; title="Gloss ${VERSION}", <${base}/docs>; rel="service-doc"`

describe('behind a trusted proxy', () => {
  const setting = useService({ TRUST_PROXY: 'loopback' })

  test.each(FORMS)('%s names the host that the proxy forwards', async (path) => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example' }
    expect(await document(setting().url, path, headers)).toHaveProperty('servers', [
      { url: 'https://public.example' },
    ])
  })
})

describe('with a base URL', () => {
  const setting = useService({ BASE_URL: "https://gloss.example/it's/a/" })

  test.each(FORMS)('%s names the base URL', async (path) => {
    expect(await document(setting().url, path)).toHaveProperty('servers', [
      { url: 'https://gloss.example/it%27s/a' },
    ])
  })

  test('pages link to each other below its path', async () => {
    const page = (await ask(setting().url, 'GET', '/docs')).body.toString()
    const links = [...page.matchAll(/(?:href|src)="(\/[^"#?]*)/g)].map(([, link]) => link)
    expect(new Set(links)).toEqual(
      new Set(
        [
          'docs',
          'docs/try',
          'docs/reference.js',
          'docs/style.css',
          'docs/icon.svg',
          ...FORMS.map((form) => form.slice(1)),
        ].map((name) => `/it%27s/a/${name}`),
      ),
    )
  })
})
