/** The scenario with the client that openapi-generator generates for TypeScript with fetch. */
import * as gloss from './client'

const { GLOSS_URL = '', GLOSS_ADMIN_PASSWORD = '', GLOSS_USER = '' } = process.env
const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
const folder = `${GLOSS_USER}/Bücher`

const see = (step: string, seen: unknown) => console.log(`${step}\t${String(seen)}`)

const signIn = (username: string, password: string) =>
  new gloss.Configuration({ basePath: GLOSS_URL, username, password })

declare global {
  interface JSON {
    /** In Node 21 and later: makes a value that is written as this JSON text. */
    rawJSON(text: string): object
  }
}

/** A number whose literal matters. */
const literal = (text: string) => JSON.rawJSON(text) as unknown as number

/** The generator's name for the body of a write. */
const body = 'booleanStringArraystringNumber'

const on = (step: string) => ({ aboutValue: ABOUT, tagPath: `${folder}/${step}` })

async function scenario() {
  const admin = signIn('service', GLOSS_ADMIN_PASSWORD)
  const createUserRequest = { username: GLOSS_USER, password: 'wonderland' }
  await new gloss.UsersApi(admin).createUser({ createUserRequest })
  const me = signIn(GLOSS_USER, 'wonderland')
  see('user', (await new gloss.UsersApi(me).getUser({ username: GLOSS_USER })).name)

  const namespaces = new gloss.NamespacesApi(me)
  await namespaces.createNamespace({
    namespacePath: GLOSS_USER,
    createNamespaceRequest: { name: 'Bücher', description: 'gelesen & geplant' },
  })
  const namespace = await namespaces.getNamespace({ namespacePath: folder, returnDescription: true })
  see('namespace', namespace.description)

  const tags = new gloss.TagsApi(me)
  const createTagRequest = { name: 'größe', description: 'Höhe in cm', indexed: true }
  await tags.createTag({ tagPath: folder, createTagRequest })
  const tag = await tags.getTag({ tagPath: `${folder}/größe`, returnDescription: true })
  see('tag', `${tag.indexed} ${tag.description}`)

  const objects = new gloss.ObjectsApi(me)
  const { id } = await objects.createObject({ createObjectRequest: {} })
  const int = { objectId: id, tagPath: `${folder}/int` }
  await objects.putValue({ ...int, [body]: literal('9007199254740993') })
  see('int', await (await objects.getValueRaw(int)).raw.text())
  const float = { objectId: id, tagPath: `${folder}/float` }
  await objects.putValue({ ...float, [body]: literal('5.0') })
  see('float', (await objects.getValueRaw(float)).raw.headers.get('x-service-type'))

  const abouts = new gloss.AboutApi(me)
  await abouts.putValueByAbout({ ...on('string'), [body]: TEXT })
  see('string', await abouts.getValueByAbout(on('string')))
  await abouts.putValueByAbout({ ...on('list'), [body]: ['ä', 'b', '', 'ä'] })
  see('list', ((await abouts.getValueByAbout(on('list'))) as string[]).join('|'))
  // The client takes null for no value at all.
  await abouts.putValueByAbout({ ...on('null'), [body]: '' }, async ({ init }) => ({
    headers: init.headers ?? {},
    body: new Blob(['null']),
  }))
  see('null', (await abouts.getValueByAboutRaw(on('null'))).raw.headers.get('x-service-type'))

  // A Blob is sent unchanged, unlike values.
  const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
  await abouts.putValueByAbout({ ...on('opaque'), [body]: '' }, async ({ init }) => ({
    headers: { ...init.headers, 'Content-Type': CONTENT_TYPE },
    body: new Blob([bytes]),
  }))
  const { raw } = await abouts.getValueByAboutRaw(on('opaque'))
  const received = Buffer.from(await raw.arrayBuffer()).toString('hex')
  see('opaque', `${raw.headers.get('content-type')} ${received}`)
  const { headers } = (await abouts.headValueByAboutRaw(on('opaque'))).raw
  see('head', `${headers.get('content-length')} ${headers.get('content-type')}`)

  const { ids } = await objects.findObjects({ query: `${folder}/int = 9007199254740993` })
  see('query', `${ids.length} ${ids[0] === id}`)
  const bulk = await new gloss.ValuesApi(me).getValues({
    query: `has ${folder}/string`,
    tag: [`${folder}/string`, `${folder}/opaque`],
  })
  const [entries] = Object.values(bulk.results.id)
  // Without run-time checks, names are those of the contract, whatever the types say.
  const text: Record<string, unknown> = { ...entries?.[`${folder}/string`] }
  const blob: Record<string, unknown> = { ...entries?.[`${folder}/opaque`] }
  see('bulk', `${text['value']} ${blob['value-type']} ${blob['size']}`)

  try {
    await tags.getTag({ tagPath: `${folder}/fehlt` })
  } catch (error) {
    if (!(error instanceof gloss.ResponseError)) throw error
    const [errorClass, path] = ['error-class', 'path'].map((fact) =>
      error.response.headers.get(`x-service-${fact}`),
    )
    see('error', `${error.response.status} ${errorClass} ${path}`)
  }

  const permissions = new gloss.PermissionsApi(me)
  const which = { tagPath: `${folder}/string`, action: 'read' } as const
  const putPermissionRequest = { policy: 'closed' as const, exceptions: [GLOSS_USER] }
  await permissions.putTagValuePermission({ ...which, putPermissionRequest })
  const permission = await permissions.getTagValuePermission(which)
  see('permission', `${permission.policy} ${permission.exceptions.join(',')}`)
}

void scenario()
