/** The scenario with openapi-typescript and openapi-fetch. */
import { ABOUT, BYTES, CONTENT_TYPE, LIST, TEXT } from '../scenario.ts'
import {
  createClient,
  float,
  readValue,
  search,
  ServiceError,
  writeValue,
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

  const admin = createClient(url, { username: 'service', password: adminPassword })
  await admin.createUser({ body: { username: user, password: 'wonderland' } })
  const client = createClient(url, { username: user, password: 'wonderland' })
  const me = await client.getUser({ username: user })
  see('user', me.name)

  await client.createNamespace({
    namespace_path: user,
    body: { name: 'Bücher', description: 'gelesen & geplant' },
  })
  const namespace = await client.getNamespace({ namespace_path: folder, returnDescription: true })
  see('namespace', namespace.description)

  await client.createTag({
    tag_path: folder,
    body: { name: 'größe', description: 'Höhe in cm', indexed: true },
  })
  const tag = await client.getTag({ tag_path: `${folder}/größe`, returnDescription: true })
  see('tag', `${String(tag.indexed)} ${String(tag.description)}`)

  const { id } = await client.createObject()
  await writeValue(client, { id, tag: `${folder}/int` }, 9007199254740993n)
  see('int', primitive(await readValue(client, { id, tag: `${folder}/int` })))
  await writeValue(client, { id, tag: `${folder}/float` }, float(5))
  see('float', (await readValue(client, { id, tag: `${folder}/float` })).type)

  await writeValue(client, on('string'), TEXT)
  see('string', primitive(await readValue(client, on('string'))))
  await writeValue(client, on('list'), LIST)
  see('list', (primitive(await readValue(client, on('list'))) as string[]).join('|'))
  await writeValue(client, on('null'), null)
  see('null', (await readValue(client, on('null'))).type)
  await writeValue(client, on('opaque'), { type: 'opaque', contentType: CONTENT_TYPE, bytes: BYTES })
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

  const { ids } = await client.findObjects({ query: `${folder}/int = 9007199254740993` })
  see('query', `${String(ids.length)} ${String(ids[0] === id)}`)
  const tags = [`${folder}/string`, `${folder}/opaque`] as const
  for await (const { values } of search(client, { query: `has ${tags[0]}`, tag: tags })) {
    const [text, blob] = tags.map((path) => values[path])
    if (text && 'value' in text && typeof text.value === 'string' && blob && 'size' in blob) {
      see('bulk', `${text.value} ${blob['value-type']} ${String(blob.size)}`)
    }
  }

  try {
    await client.getTag({ tag_path: `${folder}/fehlt` })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    see(
      'error',
      `${String(error.status)} ${String(error.errorClass)} ${encodeURI(error.facts['path'] ?? '')}`,
    )
  }

  const permission = { tag_path: `${folder}/string`, action: 'read' } as const
  await client.putTagValuePermission({ ...permission, body: { policy: 'closed', exceptions: [user] } })
  const { policy, exceptions } = await client.getTagValuePermission(permission)
  see('permission', `${policy} ${exceptions.join(',')}`)
}

const primitive = (value: Value): unknown => (value.type === 'opaque' ? undefined : value.value)

if (import.meta.main) {
  const { GLOSS_URL = '', GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
  await run(GLOSS_URL, GLOSS_ADMIN_PASSWORD, GLOSS_USER, console.log)
}
