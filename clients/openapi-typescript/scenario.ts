/** The scenario with openapi-typescript and openapi-fetch. */
import { ABOUT, BYTES, CONTENT_TYPE, LIST, TEXT } from '../scenario.ts'
import {
  createClient,
  float,
  readValue,
  ServiceError,
  writeOpaque,
  writePrimitive,
  type Value,
} from '../../packages/client/index.ts'

/** Runs the scenario; calls `print` with a line for each step. */
export async function run(
  url: string,
  adminPassword: string,
  user: string,
  print: (line: string) => void,
): Promise<void> {
  const see = (step: string, seen: unknown): void => {
    print(`${step}\t${String(seen)}`)
  }
  const folder = `${user}/Bücher`
  const on = (step: string): { about: string; tag: string } => ({ about: ABOUT, tag: `${folder}/${step}` })

  const admin = createClient(url, 'service', adminPassword)
  await admin.POST('/users', { body: { username: user, password: 'wonderland' } })
  const client = createClient(url, user, 'wonderland')
  const me = await client.GET('/users/{username}', { params: { path: { username: user } } })
  see('user', me.data?.name)

  await client.POST('/namespaces/{namespace_path}', {
    params: { path: { namespace_path: user } },
    body: { name: 'Bücher', description: 'gelesen & geplant' },
  })
  const namespace = await client.GET('/namespaces/{namespace_path}', {
    params: { path: { namespace_path: folder }, query: { returnDescription: true } },
  })
  see('namespace', namespace.data?.description)

  await client.POST('/tags/{tag_path}', {
    params: { path: { tag_path: folder } },
    body: { name: 'größe', description: 'Höhe in cm', indexed: true },
  })
  const tag = await client.GET('/tags/{tag_path}', {
    params: { path: { tag_path: `${folder}/größe` }, query: { returnDescription: true } },
  })
  see('tag', `${String(tag.data?.indexed)} ${String(tag.data?.description)}`)

  const object = await client.POST('/objects')
  const id = object.data?.id ?? ''
  await writePrimitive(client, { id, tag: `${folder}/int` }, 9007199254740993n)
  see('int', primitive(await readValue(client, { id, tag: `${folder}/int` })))
  await writePrimitive(client, { id, tag: `${folder}/float` }, float(5))
  see('float', (await readValue(client, { id, tag: `${folder}/float` })).type)

  await writePrimitive(client, on('string'), TEXT)
  see('string', primitive(await readValue(client, on('string'))))
  await writePrimitive(client, on('list'), LIST)
  see('list', (primitive(await readValue(client, on('list'))) as string[]).join('|'))
  await writePrimitive(client, on('null'), null)
  see('null', (await readValue(client, on('null'))).type)
  await writeOpaque(client, on('opaque'), CONTENT_TYPE, BYTES)
  const opaque = await readValue(client, on('opaque'))
  if (opaque.type === 'opaque') {
    see('opaque', `${opaque.contentType} ${Buffer.from(opaque.bytes).toString('hex')}`)
  }
  const { response } = await client.HEAD('/about/{about_value}/{tag_path}', {
    params: { path: { about_value: ABOUT, tag_path: `${folder}/opaque` } },
  })
  see(
    'head',
    `${String(response.headers.get('content-length'))} ${String(response.headers.get('content-type'))}`,
  )

  const found = await client.GET('/objects', {
    params: { query: { query: `${folder}/int = 9007199254740993` } },
  })
  see('query', `${String(found.data?.ids.length)} ${String(found.data?.ids[0] === id)}`)
  const tags = [`${folder}/string`, `${folder}/opaque`] as const
  const bulk = await client.GET('/values', {
    params: { query: { query: `has ${tags[0]}`, tag: [...tags] } },
  })
  const [entries] = Object.values(bulk.data?.results.id ?? {})
  const [text, blob] = tags.map((path) => entries?.[path])
  if (text && 'value' in text && blob && 'size' in blob) {
    see('bulk', `${String(text.value)} ${blob['value-type']} ${String(blob.size)}`)
  }

  try {
    await client.GET('/tags/{tag_path}', { params: { path: { tag_path: `${folder}/fehlt` } } })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    see(
      'error',
      `${String(error.status)} ${String(error.errorClass)} ${encodeURI(error.facts['path'] ?? '')}`,
    )
  }

  const permission = { path: { tag_path: `${folder}/string` }, query: { action: 'read' } } as const
  await client.PUT('/permissions/tag-values/{tag_path}', {
    params: permission,
    body: { policy: 'closed', exceptions: [user] },
  })
  const { data } = await client.GET('/permissions/tag-values/{tag_path}', { params: permission })
  see('permission', `${String(data?.policy)} ${String(data?.exceptions.join(','))}`)
}

const primitive = (value: Value): unknown => (value.type === 'opaque' ? undefined : value.value)

if (import.meta.main) {
  const { GLOSS_URL = '', GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
  await run(GLOSS_URL, GLOSS_ADMIN_PASSWORD, GLOSS_USER, console.log)
}
