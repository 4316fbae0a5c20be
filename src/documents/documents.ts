/** The documents that the service serves about itself: the contract in three forms, and pages generated from it. */
import { readFileSync } from 'node:fs'
import { once } from '../scheduling/once.ts'
import { Document } from './document.ts'
import type { Html } from './html.ts'
import { modelOf } from './model.ts'
import { toOpenApi30 } from './openapi30.ts'
import { referencePage } from './reference.ts'
import { tryPage } from './try.ts'

/** The text of a document, with placeholders, and its media type. */
interface Prepared {
  readonly contentType: string
  readonly text: string
}

/** The scripts of the pages. */
type Script = `${'answer' | 'copy' | 'find' | 'reference' | 'request' | 'try'}.js`

/** Documents by path, without the leading slash. */
export type DocumentName =
  | 'openapi.json'
  | 'openapi.yaml'
  | 'openapi-3.0.json'
  | 'docs'
  | 'crossdomain.xml'
  | `docs/${'try' | Script | 'style.css' | 'icon.svg'}`

/** A document for clients whose addresses of the service begin with `base`. */
type Documents = (name: DocumentName, base: string) => Document

/** Placeholders in prepared documents for the address of the service, and for the path of that address. */
const BASE = 'https://base.invalid'
const ROOT = '/root.invalid'

/** Lets pages that Flash and Silverlight show, of any domain, send any request. */
const CROSS_DOMAIN_POLICY = `<?xml version="1.0"?>
<!DOCTYPE cross-domain-policy SYSTEM "http://www.adobe.com/xml/dtds/cross-domain-policy.dtd">
<cross-domain-policy>
  <allow-access-from domain="*" secure="false"/>
  <allow-http-request-headers-from domain="*" headers="*" secure="false"/>
</cross-domain-policy>
`

/** Where people can read about the service, in place of the address in the written contract. */
const REFERENCE = `${BASE}/docs`

/** The documents of a contract, given as YAML text and as a parsed object. Each is prepared when it is first asked for. */
export function createDocuments(yaml: string, contract: object): Documents {
  const { externalDocs } = contract as { readonly externalDocs?: object }
  const document = {
    ...contract,
    servers: [{ url: BASE }],
    ...(externalDocs && { externalDocs: { ...externalDocs, url: REFERENCE } }),
  }
  const model = once(() => modelOf(contract))
  const prepared: Readonly<Record<DocumentName, () => Prepared>> = {
    'openapi.json': once(() => json(document)),
    'openapi.yaml': once(() => ({ contentType: 'application/yaml', text: withServer(yaml) })),
    'openapi-3.0.json': once(() => json(toOpenApi30(document))),
    docs: once(() => page(referencePage(model(), ROOT, BASE))),
    'crossdomain.xml': () => ({ contentType: 'text/x-cross-domain-policy', text: CROSS_DOMAIN_POLICY }),
    'docs/try': once(() => page(tryPage(model(), ROOT))),
    'docs/answer.js': script('answer.js'),
    'docs/copy.js': script('copy.js'),
    'docs/find.js': script('find.js'),
    'docs/reference.js': script('reference.js'),
    'docs/request.js': script('request.js'),
    'docs/try.js': script('try.js'),
    'docs/style.css': file('style.css', 'text/css; charset=utf-8'),
    'docs/icon.svg': file('icon.svg', 'image/svg+xml'),
  }
  const made = new Map<string, Document>()
  let first: string | undefined
  return (name, base) => {
    const key = `${name} ${base}`
    first ??= base
    const known = made.get(key)
    const document = known ?? documentAt(prepared[name](), base)
    // Compression costs more than making the document, and a client may invent an address for each request.
    if (known !== undefined || base === first) document.lasts()
    // The document that was requested last moves to the end.
    made.delete(key)
    made.set(key, document)
    for (const oldest of [...made.keys()].slice(0, -KEPT)) made.delete(oldest)
    return document
  }
}

/**
 * How many documents are kept, with their compressed forms: those of two addresses, some 5 MB. Clients choose the
 * address unless the operator sets it, and cannot fill the memory with made-up ones.
 */
const KEPT = 24

function documentAt({ contentType, text }: Prepared, base: string): Document {
  const address = plain(base)
  const root = new URL(address).pathname.replace(/\/$/, '')
  return new Document(contentType, text.replaceAll(BASE, address).replaceAll(ROOT, root))
}

const json = (value: object): Prepared => ({ contentType: 'application/json', text: JSON.stringify(value) })
const page = ({ text }: Html): Prepared => ({ contentType: 'text/html; charset=utf-8', text })
const script = (name: Script): (() => Prepared) => file(name, 'text/javascript; charset=utf-8')
const file = (name: string, contentType: string): (() => Prepared) =>
  once(() => ({ contentType, text: readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8') }))

/** The contract with a single server and its reference there, and no other changes. Throws if its list of servers is formatted differently. */
function withServer(yaml: string): string {
  const servers = /^servers:\n(?:[ -].*\n)+/m
  if (!servers.test(yaml)) throw new Error('the contract has no block of servers')
  return yaml
    .replace(servers, `servers:\n  - url: '${BASE}'\n`)
    .replace(/^(externalDocs:\n(?: .*\n)*? {2}url: ).*$/m, `$1'${REFERENCE}'`)
}

/** An address with every character percent-encoded that is special in JSON, YAML, HTML or a shell. */
const plain = (base: string): string =>
  base.replaceAll(/[^\w:/.~%@[\]-]/gu, (character) => encodeURIComponent(character).replace("'", '%27'))
