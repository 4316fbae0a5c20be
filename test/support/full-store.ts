/** Fills a store with things of every kind, for tests of programs that must keep all of them. */
import type { Service } from './service.ts'

/** About values with characters that are special in URLs, queries or lines. */
const ODD_ABOUT = [
  '.',
  '漢字 "quoted" back\\slash',
  'lines\nand\u2028others\r\n',
  `long ${'é'.repeat(30_000)}`,
  '@alice',
  '🜁',
]

/** Values of each type, also at the limits, as the service returns them. */
const VALUES: Readonly<Record<string, string>> = {
  null: 'null',
  yes: 'true',
  no: 'false',
  int: '7',
  least: '-9223372036854775808',
  most: '9223372036854775807',
  whole: '5.0',
  tiny: '5e-324',
  huge: '1.7976931348623157e+308',
  text: '"tab\\t \\"quoted\\" \\\\ \\u0000 é \u2028 🜁"',
  blank: '""',
  words: '["b","a","b",""]',
  none: '[]',
  long: JSON.stringify('spice '.repeat(30_000)),
}

/** Fills a service that has just started. Returns the id of an object without an about value. */
export async function fillStore(service: Service): Promise<string> {
  const as = 'alice'
  await service.ok('POST', '/users', {
    as: 'service',
    json: { username: 'dora', password: 'correct horse', name: 'Dóra "D"', email: 'dora@example.org' },
  })
  for (const [name, primitive] of Object.entries(VALUES)) {
    await service.ok('PUT', `/about/book%3ADune/alice/types/${name}`, { as, primitive })
  }
  for (const about of ODD_ABOUT) {
    const id = idIn(await service.ok('POST', '/objects', { as, json: { about } }))
    await service.ok('PUT', `/objects/${id}/alice/odd/${encodeURIComponent('näme.-_:1')}`, {
      as,
      primitive: JSON.stringify(about.length),
    })
  }
  await service.ok('POST', '/objects', { as, json: { about: 'about nothing else' } })
  const id = idIn(await service.ok('POST', '/objects', { as }))
  await service.ok('PUT', `/objects/${id}/alice/types/int`, { as, primitive: '1' })
  const only = idIn(await service.ok('POST', '/objects', { as }))
  for (const [object, tag, body, type] of [
    [id, 'cover', Buffer.from([0, 1, 2, 254, 255]), 'Image/PNG; Name="x y"'],
    [id, 'empty', Buffer.alloc(0), 'text/plain'],
    [only, 'cover', Buffer.alloc(300_000, 7), 'application/octet-stream'],
  ] as const) {
    const headers = { 'content-type': type }
    await service.ok('PUT', `/objects/${object}/alice/types/${tag}`, { as, body, headers })
  }
  await fillThings(service)
  return id
}

const idIn = (answer: { json(): unknown }): string => (answer.json() as { id: string }).id

/** Namespaces without tags, tags without values, descriptions, permissions, roles. */
async function fillThings(service: Service): Promise<void> {
  const service_ = { as: 'service' }
  const json = (body: object, as = 'alice') => ({ as, json: body })
  await service.ok('POST', '/namespaces/bob', json({ name: 'vacía', description: 'nothing\nin it' }, 'bob'))
  await service.ok('POST', '/tags/bob', json({ name: 'plain', description: '', indexed: false }, 'bob'))
  await service.ok('PUT', '/tags/alice/types/int', json({ description: 'whole numbers' }))
  await service.ok('PUT', '/namespaces/alice', json({ description: 'all of Alice' }))
  const closed = (...exceptions: string[]): object => ({ policy: 'closed', exceptions })
  await service.ok(
    'PUT',
    '/permissions/tag-values/alice/types/text?action=read',
    json(closed('alice', 'bob')),
  )
  await service.ok(
    'PUT',
    '/permissions/tag-values/alice/types/int?action=write',
    json({ policy: 'open', exceptions: ['dora'] }),
  )
  await service.ok('PUT', '/permissions/namespaces/bob?action=create', json(closed('bob', 'carol'), 'bob'))
  await service.ok('PUT', '/about/secret/alice/private/note', { as: 'alice', primitive: '"for Alice alone"' })
  await service.ok('DELETE', '/namespaces/dora/private', service_)
  await service.ok('PUT', '/about/x/alice/gone', { as: 'alice', primitive: '1' })
  await service.ok('DELETE', '/tags/alice/gone', { as: 'alice' })
  // Carol is in a list of exceptions, to which no user could add her as a superuser.
  await service.ok('PUT', '/users/carol', json({ role: 'superuser' }, 'service'))
}
