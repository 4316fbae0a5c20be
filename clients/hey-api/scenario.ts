/** The scenario with the client that Hey API generates. */
import { createClient, type Client } from './client/client'
import * as gloss from './client/sdk.gen'

const { GLOSS_URL = '', GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
const folder = `${GLOSS_USER}/Bücher`

const see = (step: string, seen: unknown) => console.log(`${step}\t${String(seen)}`)

const signIn = (username: string, password: string): Client =>
  createClient({ baseUrl: GLOSS_URL, auth: () => `${username}:${password}` })

const on = (step: string) => ({ about_value: ABOUT, tag_path: `${folder}/${step}` })

declare global {
  interface JSON {
    /** In Node 21 and later: makes a value that is written as this JSON text. */
    rawJSON(text: string): object
  }
}

/** A number whose literal matters. */
const literal = (text: string) => JSON.rawJSON(text) as unknown as number

async function scenario() {
  const admin = signIn('service', GLOSS_ADMIN_PASSWORD)
  await gloss.createUser({ client: admin, body: { username: GLOSS_USER, password: 'wonderland' } })
  const client = signIn(GLOSS_USER, 'wonderland')
  const me = await gloss.getUser({ client, path: { username: GLOSS_USER } })
  see('user', me.data?.name)

  await gloss.createNamespace({
    client,
    path: { namespace_path: GLOSS_USER },
    body: { name: 'Bücher', description: 'gelesen & geplant' },
  })
  const namespace = await gloss.getNamespace({
    client,
    path: { namespace_path: folder },
    query: { returnDescription: true },
  })
  see('namespace', namespace.data?.description)

  await gloss.createTag({
    client,
    path: { tag_path: folder },
    body: { name: 'größe', description: 'Höhe in cm', indexed: true },
  })
  const path = { tag_path: `${folder}/größe` }
  const tag = await gloss.getTag({ client, path, query: { returnDescription: true } })
  see('tag', `${tag.data?.indexed} ${tag.data?.description}`)

  const object = await gloss.createObject({ client })
  const id = object.data?.id ?? ''
  const int = { object_id: id, tag_path: `${folder}/int` }
  await gloss.putValue({ client, path: int, body: literal('9007199254740993') })
  see('int', (await gloss.getValue({ client, path: int, parseAs: 'text' })).data)
  const float = { object_id: id, tag_path: `${folder}/float` }
  await gloss.putValue({ client, path: float, body: literal('5.0') })
  see('float', (await gloss.getValue({ client, path: float })).response?.headers.get('x-service-type'))

  await gloss.putValueByAbout({ client, path: on('string'), body: TEXT })
  see('string', (await gloss.getValueByAbout({ client, path: on('string') })).data)
  await gloss.putValueByAbout({ client, path: on('list'), body: ['ä', 'b', '', 'ä'] })
  see('list', ((await gloss.getValueByAbout({ client, path: on('list') })).data as string[]).join('|'))
  await gloss.putValueByAbout({ client, path: on('null'), body: null, bodySerializer: JSON.stringify })
  see(
    'null',
    (await gloss.getValueByAbout({ client, path: on('null') })).response?.headers.get('x-service-type'),
  )

  await gloss.putValueByAbout({
    client,
    path: on('opaque'),
    // The types have only the first content type of a body.
    body: new Blob([Uint8Array.from({ length: 256 }, (_, i) => i)]) as never,
    bodySerializer: null,
    headers: { 'Content-Type': CONTENT_TYPE },
  })
  const opaque = await gloss.getValueByAbout({ client, path: on('opaque'), parseAs: 'arrayBuffer' })
  const bytes = Buffer.from(opaque.data as unknown as ArrayBuffer)
  see('opaque', `${opaque.response?.headers.get('content-type')} ${bytes.toString('hex')}`)
  const { response } = await gloss.headValueByAbout({ client, path: on('opaque') })
  see('head', `${response?.headers.get('content-length')} ${response?.headers.get('content-type')}`)

  const found = await gloss.findObjects({ client, query: { query: `${folder}/int = 9007199254740993` } })
  see('query', `${found.data?.ids.length} ${found.data?.ids[0] === id}`)
  const bulk = await gloss.getValues({
    client,
    query: { query: `has ${folder}/string`, tag: [`${folder}/string`, `${folder}/opaque`] },
  })
  const [entries] = Object.values(bulk.data?.results.id ?? {})
  const text = entries?.[`${folder}/string`]
  const blob = entries?.[`${folder}/opaque`]
  if (text && 'value' in text && blob && 'size' in blob) {
    see('bulk', `${text.value} ${blob['value-type']} ${blob.size}`)
  }

  const missing = await gloss.getTag({ client, path: { tag_path: `${folder}/fehlt` } })
  const { status, headers } = missing.response ?? new Response()
  see('error', `${status} ${headers.get('x-service-error-class')} ${headers.get('x-service-path')}`)

  const permission = { client, path: { tag_path: `${folder}/string` }, query: { action: 'read' } } as const
  await gloss.putTagValuePermission({ ...permission, body: { policy: 'closed', exceptions: [GLOSS_USER] } })
  const { data } = await gloss.getTagValuePermission(permission)
  see('permission', `${data?.policy} ${data?.exceptions.join(',')}`)
}

void scenario()
