/** The scenario with openapi-client-axios, which makes a client of the contract when it starts. */
import { isAxiosError } from 'axios'
import { OpenAPIClientAxios } from 'openapi-client-axios'

const { GLOSS_URL, GLOSS_ADMIN_PASSWORD, GLOSS_USER } = process.env
const ABOUT = 'https://example.org/bücher?q=a+b&c=50%#ä ö/1'
const TEXT = 'Grüße, 世界 🌍 "\\"'
const CONTENT_TYPE = 'Text/X-Gloss; CharSet=Latin1'
const folder = `${GLOSS_USER}/Bücher`

const see = (step, seen) => console.log(`${step}\t${seen}`)

const signIn = (username, password) =>
  new OpenAPIClientAxios({
    definition: `${GLOSS_URL}/openapi.json`,
    axiosConfigDefaults: { auth: { username, password }, paramsSerializer: { indexes: null } },
  }).init()

/** Says what a body is: without a content type axios calls a number or text a form, and so makes it opaque. */
const value = { headers: { 'Content-Type': 'application/vnd.service.value+json' } }

const on = (step) => ({ about_value: ABOUT, tag_path: `${folder}/${step}` })

const admin = await signIn('service', GLOSS_ADMIN_PASSWORD)
await admin.createUser({}, { username: GLOSS_USER, password: 'wonderland' })
const client = await signIn(GLOSS_USER, 'wonderland')
see('user', (await client.getUser(GLOSS_USER)).data.name)

await client.createNamespace(GLOSS_USER, { name: 'Bücher', description: 'gelesen & geplant' })
const namespace = await client.getNamespace({ namespace_path: folder, returnDescription: true })
see('namespace', namespace.data.description)

await client.createTag(folder, { name: 'größe', description: 'Höhe in cm', indexed: true })
const tag = (await client.getTag({ tag_path: `${folder}/größe`, returnDescription: true })).data
see('tag', `${tag.indexed} ${tag.description}`)

const { id } = (await client.createObject({}, {})).data
const int = { object_id: id, tag_path: `${folder}/int` }
await client.putValue(int, '9007199254740993', value)
see('int', (await client.getValue(int, null, { responseType: 'text' })).data)
const float = { object_id: id, tag_path: `${folder}/float` }
await client.putValue(float, '5.0', value)
see('float', (await client.getValue(float)).headers['x-service-type'])

await client.putValueByAbout(on('string'), JSON.stringify(TEXT), value)
see('string', (await client.getValueByAbout(on('string'))).data)
await client.putValueByAbout(on('list'), ['ä', 'b', '', 'ä'], value)
see('list', (await client.getValueByAbout(on('list'))).data.join('|'))
await client.putValueByAbout(on('null'), 'null', value)
see('null', (await client.getValueByAbout(on('null'))).headers['x-service-type'])

const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
await client.putValueByAbout(on('opaque'), bytes, { headers: { 'Content-Type': CONTENT_TYPE } })
const opaque = await client.getValueByAbout(on('opaque'), null, { responseType: 'arraybuffer' })
see('opaque', `${opaque.headers['content-type']} ${Buffer.from(opaque.data).toString('hex')}`)
const { headers } = await client.headValueByAbout(on('opaque'))
see('head', `${headers['content-length']} ${headers['content-type']}`)

const { ids } = (await client.findObjects({ query: `${folder}/int = 9007199254740993` })).data
see('query', `${ids.length} ${ids[0] === id}`)
const wanted = [`${folder}/string`, `${folder}/opaque`]
const bulk = await client.getValues({ query: `has ${folder}/string`, tag: wanted })
const [entries] = Object.values(bulk.data.results.id)
const [text, blob] = wanted.map((path) => entries[path])
see('bulk', `${text.value} ${blob['value-type']} ${blob.size}`)

try {
  await client.getTag(`${folder}/fehlt`)
} catch (error) {
  if (!isAxiosError(error)) throw error
  const [errorClass, path] = ['error-class', 'path'].map(
    (fact) => error.response?.headers[`x-service-${fact}`],
  )
  see('error', `${error.status} ${errorClass} ${path}`)
}

const permission = { tag_path: `${folder}/string`, action: 'read' }
await client.putTagValuePermission(permission, { policy: 'closed', exceptions: [GLOSS_USER] })
const { policy, exceptions } = (await client.getTagValuePermission(permission)).data
see('permission', `${policy} ${exceptions.join(',')}`)
