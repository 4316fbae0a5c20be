/** The scenario with swagger-client, which reads the contract from the service when it starts. */
import SwaggerClient from 'swagger-client'

const { GLOSS_URL, GLOSS_ADMIN_PASSWORD, GLOSS_USER } = process.env
const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
const folder = `${GLOSS_USER}/Bücher`

const see = (step, seen) => console.log(`${step}\t${seen}`)

const signIn = async (username, password) => {
  const authorizations = { basic: { username, password } }
  return (await SwaggerClient(`${GLOSS_URL}/openapi.json`, { authorizations })).apis
}

/** Options that send a ready-made body: this client sends strings unchanged, but neither null nor bytes. */
const raw = (body, type = 'application/vnd.service.value+json') => ({
  requestInterceptor: (request) =>
    Object.assign(request, { body, headers: { ...request.headers, 'Content-Type': type } }),
})

const on = (step) => ({ about_value: ABOUT, tag_path: `${folder}/${step}` })

const admin = await signIn('service', GLOSS_ADMIN_PASSWORD)
await admin.users.createUser({}, { requestBody: { username: GLOSS_USER, password: 'wonderland' } })
const { namespaces, tags, objects, about, values, permissions, users } = await signIn(
  GLOSS_USER,
  'wonderland',
)
see('user', (await users.getUser({ username: GLOSS_USER })).body.name)

const newNamespace = { name: 'Bücher', description: 'gelesen & geplant' }
await namespaces.createNamespace({ namespace_path: GLOSS_USER }, { requestBody: newNamespace })
const namespace = await namespaces.getNamespace({ namespace_path: folder, returnDescription: true })
see('namespace', namespace.body.description)

const newTag = { name: 'größe', description: 'Höhe in cm', indexed: true }
await tags.createTag({ tag_path: folder }, { requestBody: newTag })
const tag = (await tags.getTag({ tag_path: `${folder}/größe`, returnDescription: true })).body
see('tag', `${tag.indexed} ${tag.description}`)

const { id } = (await objects.createObject({}, { requestBody: {} })).body
const int = { object_id: id, tag_path: `${folder}/int` }
await objects.putValue(int, { requestBody: '9007199254740993' })
see('int', (await objects.getValue(int)).text)
const float = { object_id: id, tag_path: `${folder}/float` }
await objects.putValue(float, { requestBody: '5.0' })
see('float', (await objects.getValue(float)).headers['x-service-type'])

await about.putValueByAbout(on('string'), { requestBody: JSON.stringify(TEXT) })
see('string', (await about.getValueByAbout(on('string'))).body)
await about.putValueByAbout(on('list'), { requestBody: ['ä', 'b', '', 'ä'] })
see('list', (await about.getValueByAbout(on('list'))).body.join('|'))
await about.putValueByAbout(on('null'), raw('null'))
see('null', (await about.getValueByAbout(on('null'))).headers['x-service-type'])

const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
await about.putValueByAbout(on('opaque'), raw(bytes, CONTENT_TYPE))
const opaque = await about.getValueByAbout(on('opaque'))
const received = Buffer.from(await opaque.data.arrayBuffer()).toString('hex')
see('opaque', `${opaque.headers['content-type']} ${received}`)
const { headers } = await about.headValueByAbout(on('opaque'))
see('head', `${headers['content-length']} ${headers['content-type']}`)

const { ids } = (await objects.findObjects({ query: `${folder}/int = 9007199254740993` })).body
see('query', `${ids.length} ${ids[0] === id}`)
const wanted = [`${folder}/string`, `${folder}/opaque`]
const bulk = await values.getValues({ query: `has ${folder}/string`, tag: wanted })
const [entries] = Object.values(bulk.body.results.id)
const [text, blob] = wanted.map((path) => entries[path])
see('bulk', `${text.value} ${blob['value-type']} ${blob.size}`)

const { status, response } = await tags.getTag({ tag_path: `${folder}/fehlt` }).catch((error) => error)
const [errorClass, path] = ['error-class', 'path'].map((fact) => response.headers[`x-service-${fact}`])
see('error', `${status} ${errorClass} ${path}`)

const permission = { tag_path: `${folder}/string`, action: 'read' }
const closed = { policy: 'closed', exceptions: [GLOSS_USER] }
await permissions.putTagValuePermission(permission, { requestBody: closed })
const { policy, exceptions } = (await permissions.getTagValuePermission(permission)).body
see('permission', `${policy} ${exceptions.join(',')}`)
