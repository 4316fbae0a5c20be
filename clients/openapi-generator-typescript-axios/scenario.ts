/** The scenario with the client that openapi-generator generates for TypeScript with axios. */
import { isAxiosError } from 'axios'
import * as gloss from './client'

const { GLOSS_URL = '', GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
const folder = `${GLOSS_USER}/Bücher`

const see = (step: string, seen: unknown) => console.log(`${step}\t${String(seen)}`)

const signIn = (username: string, password: string) =>
  new gloss.Configuration({
    basePath: GLOSS_URL,
    username,
    password,
    baseOptions: { headers: { Accept: '*/*' }, responseType: 'json' },
  })

/** The generator's name for the body of a write. */
const value = 'booleanStringArraystringNumber'

/** A ready-made body: this client sends a string unchanged, even where it should be JSON. */
const body = (json: string) => ({ [value]: json })

const on = (step: string) => ({ aboutValue: ABOUT, tagPath: `${folder}/${step}` })

async function scenario() {
  const admin = signIn('service', GLOSS_ADMIN_PASSWORD)
  const createUserRequest = { username: GLOSS_USER, password: 'wonderland' }
  await new gloss.UsersApi(admin).createUser({ createUserRequest })
  const me = signIn(GLOSS_USER, 'wonderland')
  see('user', (await new gloss.UsersApi(me).getUser({ username: GLOSS_USER })).data.name)

  const namespaces = new gloss.NamespacesApi(me)
  await namespaces.createNamespace({
    namespacePath: GLOSS_USER,
    createNamespaceRequest: { name: 'Bücher', description: 'gelesen & geplant' },
  })
  const namespace = await namespaces.getNamespace({ namespacePath: folder, returnDescription: true })
  see('namespace', namespace.data.description)

  const tags = new gloss.TagsApi(me)
  const createTagRequest = { name: 'größe', description: 'Höhe in cm', indexed: true }
  await tags.createTag({ tagPath: folder, createTagRequest })
  const tag = (await tags.getTag({ tagPath: `${folder}/größe`, returnDescription: true })).data
  see('tag', `${tag.indexed} ${tag.description}`)

  const objects = new gloss.ObjectsApi(me)
  const { id } = (await objects.createObject()).data
  const int = { objectId: id, tagPath: `${folder}/int` }
  await objects.putValue({ ...int, ...body('9007199254740993') })
  see('int', (await objects.getValue(int, { responseType: 'text' })).data)
  const float = { objectId: id, tagPath: `${folder}/float` }
  await objects.putValue({ ...float, ...body('5.0') })
  see('float', (await objects.getValue(float)).headers['x-service-type'])

  const abouts = new gloss.AboutApi(me)
  await abouts.putValueByAbout({ ...on('string'), ...body(JSON.stringify(TEXT)) })
  see('string', (await abouts.getValueByAbout(on('string'))).data)
  await abouts.putValueByAbout({ ...on('list'), [value]: ['ä', 'b', '', 'ä'] })
  see('list', ((await abouts.getValueByAbout(on('list'))).data as string[]).join('|'))
  await abouts.putValueByAbout({ ...on('null'), ...body('null') })
  see('null', (await abouts.getValueByAbout(on('null'))).headers['x-service-type'])

  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  await abouts.putValueByAbout(
    { ...on('opaque'), [value]: bytes as never },
    { headers: { 'Content-Type': CONTENT_TYPE } },
  )
  const opaque = await abouts.getValueByAbout(on('opaque'), { responseType: 'arraybuffer' })
  const received = Buffer.from(opaque.data as never).toString('hex')
  see('opaque', `${opaque.headers['content-type']} ${received}`)
  const { headers } = await abouts.headValueByAbout(on('opaque'))
  see('head', `${headers['content-length']} ${headers['content-type']}`)

  const { ids } = (await objects.findObjects({ query: `${folder}/int = 9007199254740993` })).data
  see('query', `${ids.length} ${ids[0] === id}`)
  const bulk = await new gloss.ValuesApi(me).getValues({
    query: `has ${folder}/string`,
    tag: [`${folder}/string`, `${folder}/opaque`],
  })
  const [entries] = Object.values(bulk.data.results.id)
  const text = entries?.[`${folder}/string`] as gloss.PrimitiveValueEntry
  const blob = entries?.[`${folder}/opaque`] as gloss.OpaqueValueEntry
  see('bulk', `${text.value} ${blob['value-type']} ${blob.size}`)

  try {
    await tags.getTag({ tagPath: `${folder}/fehlt` })
  } catch (error) {
    if (!isAxiosError(error)) throw error
    const [errorClass, path] = ['error-class', 'path'].map(
      (fact) => error.response?.headers[`x-service-${fact}`],
    )
    see('error', `${error.status} ${errorClass} ${path}`)
  }

  const permissions = new gloss.PermissionsApi(me)
  const which = { tagPath: `${folder}/string`, action: 'read' } as const
  const putPermissionRequest = { policy: 'closed' as const, exceptions: [GLOSS_USER] }
  await permissions.putTagValuePermission({ ...which, putPermissionRequest })
  const permission = (await permissions.getTagValuePermission(which)).data
  see('permission', `${permission.policy} ${permission.exceptions.join(',')}`)
}

void scenario()
