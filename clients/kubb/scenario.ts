/** The scenario with the client that Kubb generates. */
import * as gloss from './client/index.ts'
import type { RequestConfig, ResponseConfig } from './fetcher.ts'

type Options = Partial<RequestConfig<never>>

const { GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
const folder = `${GLOSS_USER}/Bücher`
/** Encodes a path parameter, which Kubb leaves to its callers. */
const path = encodeURIComponent
const me: Options = { auth: `${GLOSS_USER}:wonderland` }

const see = (step: string, seen: unknown) => console.log(`${step}\t${String(seen)}`)

declare global {
  interface JSON {
    /** In Node 21 and later: makes a value that is written as this JSON text. */
    rawJSON(text: string): object
  }
}

/** A number whose literal matters. */
const literal = (text: string) => JSON.rawJSON(text) as unknown as number

/** The answer, which must be a success. */
async function ok<T>(answer: Promise<ResponseConfig<T>>): Promise<ResponseConfig<T>> {
  const { status, headers } = await answer
  if (status >= 400) throw new Error(`${status} ${headers.get('x-service-error-class')}`)
  return answer
}

async function scenario() {
  const admin: Options = { auth: `service:${GLOSS_ADMIN_PASSWORD}` }
  await ok(gloss.createUser({ username: GLOSS_USER, password: 'wonderland' }, undefined, admin))
  see('user', (await ok(gloss.getUser(GLOSS_USER, undefined, me))).data.name)

  await ok(
    gloss.createNamespace(GLOSS_USER, { name: 'Bücher', description: 'gelesen & geplant' }, undefined, me),
  )
  const namespace = await ok(gloss.getNamespace(path(folder), { returnDescription: true }, undefined, me))
  see('namespace', namespace.data.description)

  await ok(
    gloss.createTag(path(folder), { name: 'größe', description: 'Höhe in cm', indexed: true }, undefined, me),
  )
  const tag = await ok(gloss.getTag(path(`${folder}/größe`), { returnDescription: true }, undefined, me))
  see('tag', `${tag.data.indexed} ${tag.data.description}`)

  const { id } = (await ok(gloss.createObject(undefined, undefined, me))).data
  await ok(gloss.putValue(id, path(`${folder}/int`), literal('9007199254740993'), undefined, me))
  see('int', Buffer.from((await ok(gloss.getValue(id, path(`${folder}/int`), undefined, me))).bytes))
  await ok(gloss.putValue(id, path(`${folder}/float`), literal('5.0'), undefined, me))
  see(
    'float',
    (await ok(gloss.getValue(id, path(`${folder}/float`), undefined, me))).headers.get('x-service-type'),
  )

  await ok(gloss.putValueByAbout(path(ABOUT), path(`${folder}/string`), TEXT, undefined, me))
  see('string', (await ok(gloss.getValueByAbout(path(ABOUT), path(`${folder}/string`), undefined, me))).data)
  await ok(gloss.putValueByAbout(path(ABOUT), path(`${folder}/list`), ['ä', 'b', '', 'ä'], undefined, me))
  const list = (await ok(gloss.getValueByAbout(path(ABOUT), path(`${folder}/list`), undefined, me))).data
  see('list', (list as string[]).join('|'))
  await ok(gloss.putValueByAbout(path(ABOUT), path(`${folder}/null`), null, undefined, me))
  see(
    'null',
    (await ok(gloss.getValueByAbout(path(ABOUT), path(`${folder}/null`), undefined, me))).headers.get(
      'x-service-type',
    ),
  )

  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  const opaquely: Options = { ...me, bytes, contentType: CONTENT_TYPE }
  await ok(gloss.putValueByAbout(path(ABOUT), path(`${folder}/opaque`), null, undefined, opaquely))
  const opaque = await ok(gloss.getValueByAbout(path(ABOUT), path(`${folder}/opaque`), undefined, me))
  see('opaque', `${opaque.headers.get('content-type')} ${Buffer.from(opaque.bytes).toString('hex')}`)
  const { headers } = await ok(gloss.headValueByAbout(path(ABOUT), path(`${folder}/opaque`), undefined, me))
  see('head', `${headers.get('content-length')} ${headers.get('content-type')}`)

  const { ids } = (await ok(gloss.findObjects({ query: `${folder}/int = 9007199254740993` }, me))).data
  see('query', `${ids.length} ${ids[0] === id}`)
  const tags = [`${folder}/string`, `${folder}/opaque`]
  const bulk = await ok(gloss.getValues({ query: `has ${folder}/string`, tag: tags }, me))
  const [entries] = Object.values(bulk.data.results.id)
  const [text, blob] = tags.map((path) => entries?.[path])
  if (text && 'value' in text && blob && 'size' in blob) {
    see('bulk', `${text.value} ${blob['value-type']} ${blob.size}`)
  }

  const missing = await gloss.getTag(path(`${folder}/fehlt`), undefined, undefined, me)
  const [errorClass, which] = ['error-class', 'path'].map((fact) => missing.headers.get(`x-service-${fact}`))
  see('error', `${missing.status} ${errorClass} ${which}`)

  const readable = path(`${folder}/string`)
  const action = { action: 'read' } as const
  const closed = { policy: 'closed' as const, exceptions: [GLOSS_USER] }
  await ok(gloss.putTagValuePermission(readable, closed, action, undefined, me))
  const { data } = await ok(gloss.getTagValuePermission(readable, action, undefined, me))
  see('permission', `${data.policy} ${data.exceptions.join(',')}`)
}

void scenario()
