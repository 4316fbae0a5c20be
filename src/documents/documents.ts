/** The documents that the service serves about itself: the contract in three forms, and pages generated from it. */
import { readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { once } from '../scheduling/once.ts'
import { Document } from './document.ts'
import type { Html } from './html.ts'
import { modelOf } from './model.ts'
import { toOpenApi30 } from './openapi30.ts'
import { apiOf, publish } from './published.ts'
import { referencePage } from './reference.ts'
import { tryPage } from './try.ts'

/** The text of a document, with placeholders, and its media type. */
interface Prepared {
  readonly contentType: string
  readonly text: string
}

/** The scripts of the pages. */
type Script = `${'answer' | 'copy' | 'find' | 'reference' | 'request' | 'try'}.js`

/** The forms of the contract by path, without the leading slash. */
type Form = 'openapi.json' | 'openapi.yaml' | 'openapi-3.0.json'

/** Pages, their parts, and the policy, by path. */
type FixedName = 'docs' | 'crossdomain.xml' | `docs/${'try' | Script | 'style.css' | 'icon.svg'}`

export type DocumentName = Form | FixedName

/** Which contract, and how much of it; all of the current one unless it says otherwise. */
export interface Selection {
  /** A version of the contract that is known. */
  readonly version?: string | undefined
  /** Without HEAD and the documents about the contract itself. */
  readonly view?: 'api' | undefined
}

/** A document for clients whose addresses of the service begin with `base`. Only forms of the contract have a selection. */
type Documents = (name: DocumentName, base: string, selection?: Selection) => Document

/** The contract that the service runs on, and those of earlier versions, which are published already. */
export interface Contracts {
  readonly current: object
  readonly kept: (version: string) => object
}

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

/** The documents of the contracts. Each is prepared when it is first asked for. */
export function createDocuments({ current, kept }: Contracts): Documents {
  const model = once(() => modelOf(current))
  const fixed: Readonly<Record<FixedName, () => Prepared>> = {
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
  const forms = new Map<string, Prepared>()
  const made = new Map<string, Document>()
  let first: string | undefined

  function prepared(name: DocumentName, { version = versionOf(current), view }: Selection): Prepared {
    if (!isForm(name)) return fixed[name]()
    const key = `${name} ${version} ${view ?? ''}`
    const known = forms.get(key)
    if (known !== undefined) return known
    const published = version === versionOf(current) ? publish(current) : kept(version)
    const form = FORMS[name](atBase(view === 'api' ? apiOf(published) : published))
    // All forms of a version have 1.5 MB. There are few versions: a made-up one is refused before.
    forms.set(key, form)
    return form
  }

  return (name, base, selection = {}) => {
    const key = `${name} ${selection.version ?? ''} ${selection.view ?? ''} ${base}`
    first ??= base
    const known = made.get(key)
    const document = known ?? documentAt(prepared(name, selection), base)
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
 * How many documents are kept, with their compressed forms. The largest has 0.3 MB, so at most 8 MB before compression. Clients
 * choose the address unless the operator sets it, and cannot fill the memory with made-up ones.
 */
const KEPT = 24

function documentAt({ contentType, text }: Prepared, base: string): Document {
  const address = plain(base)
  const root = new URL(address).pathname.replace(/\/$/, '')
  return new Document(contentType, text.replaceAll(BASE, address).replaceAll(ROOT, root))
}

const page = ({ text }: Html): Prepared => ({ contentType: 'text/html; charset=utf-8', text })
const script = (name: Script): (() => Prepared) => file(name, 'text/javascript; charset=utf-8')
const file = (name: string, contentType: string): (() => Prepared) =>
  once(() => ({ contentType, text: readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8') }))

const json = (value: object): Prepared => ({ contentType: 'application/json', text: JSON.stringify(value) })

const FORMS: Readonly<Record<Form, (contract: object) => Prepared>> = {
  'openapi.json': json,
  'openapi.yaml': (contract) => ({
    contentType: 'application/yaml',
    text: stringify(contract, { aliasDuplicateObjects: false }),
  }),
  'openapi-3.0.json': (contract) => json(toOpenApi30(contract)),
}

const isForm = (name: DocumentName): name is Form => name in FORMS

/** What is at another place for each service. */
interface Linked {
  readonly externalDocs?: { readonly url: string }
}

/** The parts of a contract that are read here. */
interface Contract extends Linked {
  readonly info: { readonly version: string }
  readonly servers: readonly [{ readonly url: string }]
  readonly tags: readonly Linked[]
}

const versionOf = (contract: object): string => (contract as Contract).info.version

/** A contract whose only server, and where people can read about it and its tags, is the service. */
function atBase(contract: object): object {
  const { servers, tags } = contract as Contract
  const [written] = servers
  const linked = (part: Linked): object => {
    const { externalDocs } = part
    if (externalDocs === undefined) return part
    return { ...part, externalDocs: { ...externalDocs, url: externalDocs.url.replace(written.url, BASE) } }
  }
  return { ...linked(contract), servers: [{ url: BASE }], tags: tags.map(linked) }
}

/** An address with every character percent-encoded that is special in JSON, YAML, HTML or a shell. */
const plain = (base: string): string =>
  base.replaceAll(/[^\w:/.~%@[\]-]/gu, (character) => encodeURIComponent(character).replace("'", '%27'))
