/** The scenario with the client that swagger-typescript-api generates. */
import {
  Api,
  ContentType,
  type OpaqueValueEntry,
  type PrimitiveValueEntry,
  type RequestParams,
} from './gloss'

const { GLOSS_URL = '', GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
/** Encodes a path parameter, which this client leaves to its callers. */
const path = encodeURIComponent
const ABOUT = path('https://example.org/bücher?q=a+b&c=50%#ä ö/1')
const folder = `${GLOSS_USER}/Bücher`

const see = (step: string, seen: unknown) => console.log(`${step}\t${String(seen)}`)

/** Parameters of a request that sends a ready-made body instead of the client's. */
interface Raw extends RequestParams {
  raw?: BodyInit
}

const signIn = (username: string, password: string) =>
  new Api({
    baseUrl: GLOSS_URL,
    baseApiParams: { headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` } },
    customFetch: (url, init) => fetch(url, { ...init, body: (init as Raw).raw ?? init?.body }),
  })

/** A ready-made body: this client has no content type for values and no null, and writes all but text as JSON. */
const body = (raw: BodyInit, contentType = 'application/vnd.service.value+json'): Raw => ({
  raw,
  headers: { 'Content-Type': contentType },
})

const typeOf = (response: Response) => response.headers.get('x-service-type')

async function scenario() {
  const json = { format: 'json' } as const
  const admin = signIn('service', GLOSS_ADMIN_PASSWORD)
  await admin.users.createUser({ username: GLOSS_USER, password: 'wonderland' })
  const client = signIn(GLOSS_USER, 'wonderland')
  see('user', (await client.users.getUser(GLOSS_USER, json)).data.name)

  await client.namespaces.createNamespace(GLOSS_USER, { name: 'Bücher', description: 'gelesen & geplant' })
  const namespace = await client.namespaces.getNamespace(path(folder), { returnDescription: true }, json)
  see('namespace', namespace.data.description)

  await client.tags.createTag(path(folder), { name: 'größe', description: 'Höhe in cm', indexed: true })
  const tag = (await client.tags.getTag(path(`${folder}/größe`), { returnDescription: true }, json)).data
  see('tag', `${tag.indexed} ${tag.description}`)

  const { id } = (await client.objects.createObject({}, json)).data
  await client.objects.putValue(id, path(`${folder}/int`), 0, body('9007199254740993'))
  see('int', await (await client.objects.getValue(id, path(`${folder}/int`))).text())
  await client.objects.putValue(id, path(`${folder}/float`), 0, body('5.0'))
  see('float', typeOf(await client.objects.getValue(id, path(`${folder}/float`))))

  await client.about.putValueByAbout(ABOUT, path(`${folder}/string`), TEXT, body(JSON.stringify(TEXT)))
  see('string', (await client.about.getValueByAbout(ABOUT, path(`${folder}/string`), json)).data)
  const list = ['ä', 'b', '', 'ä']
  await client.about.putValueByAbout(ABOUT, path(`${folder}/list`), list, body(JSON.stringify(list)))
  const read = (await client.about.getValueByAbout(ABOUT, path(`${folder}/list`), json)).data
  see('list', (read as string[]).join('|'))
  await client.about.putValueByAbout(ABOUT, path(`${folder}/null`), null, body('null'))
  see('null', typeOf(await client.about.getValueByAbout(ABOUT, path(`${folder}/null`))))

  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  await client.about.putValueByAbout(ABOUT, path(`${folder}/opaque`), null, body(bytes, CONTENT_TYPE))
  const opaque = await client.about.getValueByAbout(ABOUT, path(`${folder}/opaque`))
  const received = Buffer.from(await opaque.arrayBuffer()).toString('hex')
  see('opaque', `${opaque.headers.get('content-type')} ${received}`)
  const { headers } = await client.about.headValueByAbout(ABOUT, path(`${folder}/opaque`))
  see('head', `${headers.get('content-length')} ${headers.get('content-type')}`)

  const { ids } = (await client.objects.findObjects({ query: `${folder}/int = 9007199254740993` }, json)).data
  see('query', `${ids.length} ${ids[0] === id}`)
  const tags = [`${folder}/string`, `${folder}/opaque`]
  const bulk = (await client.values.getValues({ query: `has ${folder}/string`, tag: tags }, json)).data
  const [entries] = Object.values(bulk.results.id)
  const [text, blob] = tags.map((one) => entries?.[one])
  const { 'value-type': type, size } = blob as OpaqueValueEntry
  see('bulk', `${(text as PrimitiveValueEntry).value} ${type} ${size}`)

  const missing = (await client.tags.getTag(path(`${folder}/fehlt`)).catch((error) => error)) as Response
  const [errorClass, which] = ['error-class', 'path'].map((fact) => missing.headers.get(`x-service-${fact}`))
  see('error', `${missing.status} ${errorClass} ${which}`)

  const readable = path(`${folder}/string`)
  const action = { action: 'read' } as const
  const closed = { policy: 'closed' as const, exceptions: [GLOSS_USER] }
  await client.permissions.putTagValuePermission(readable, action, closed, { type: ContentType.Json })
  const permission = (await client.permissions.getTagValuePermission(readable, action, json)).data
  see('permission', `${permission.policy} ${permission.exceptions.join(',')}`)
}

void scenario()
