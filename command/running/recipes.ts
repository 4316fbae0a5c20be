/**
 * Writes the recipes of `deploy/` into the current folder, with the settings of the environment and of `.env`
 * (`gloss init --systemd` and the like). Secrets are not written.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { examineConfig, type Config } from '../../src/settings/config.ts'
import { VERSION } from '../../src/settings/version.ts'
import { Failure, misuse } from '../../common/failure.ts'
import { readEnvFile } from '../settings/env-file.ts'
import { tell } from '../terminal/terminal.ts'

/** The files of a recipe, in the order in which they are read: the first says what to do with all. */
const FILES = {
  systemd: ['gloss.service', 'gloss-backup.service', 'gloss-backup.timer'],
  compose: ['compose.yaml', 'haproxy.cfg'],
  kubernetes: ['kubernetes.yaml'],
  nginx: ['nginx.conf'],
  haproxy: ['haproxy.cfg'],
} as const

export type Recipe = keyof typeof FILES

export const RECIPES = Object.keys(FILES) as Recipe[]

/** A text in a delivered file, and what stands there instead. */
type Edit = readonly [delivered: string, written: string]

/** The settings that are not the defaults. */
interface Own {
  readonly port: number | undefined
  readonly adminPort: number | undefined
  readonly baseUrl: string | undefined
  readonly trustProxy: readonly string[]
  readonly databaseUrlFile: string | undefined
}

/** Writes the files of a recipe. Throws a `Failure` if one of them exists, or if a setting or Node is wrong. */
export function writeRecipe(recipe: Recipe): void {
  readEnvFile()
  const own = ownSettings()
  if (recipe === 'systemd') requireSystemNode()
  const names = FILES[recipe]
  const taken = names.filter((name) => existsSync(name))
  if (taken.length > 0) {
    throw misuse(`there is a file ${resolve(taken[0] ?? '')} already`, 'run it in another folder')
  }
  for (const name of names) {
    const delivered = readFileSync(join(dirname(manifest()), 'deploy', name), 'utf8')
    const text = edited(name, delivered, editsOf(recipe, name, own))
    writeFileSync(name, text, { flag: 'wx' })
  }
  tell(`Wrote ${names.join(', ')}. What to do with them is said at the beginning of ${names[0]}.`)
}

/** The manifest of the package, or of the checkout, that this program is in. */
const manifest = (): string => findPackageJSON(import.meta.url) ?? ''

/** Throws a `Failure` if this Node is where the units, which have `ProtectHome=yes`, do not see it. */
function requireSystemNode(): void {
  if (!/^\/(?:home|root|run\/user)\//.test(process.execPath)) return
  throw new Failure(
    `this Node is ${process.execPath}, which the service cannot run: it has no access to /home, /root and /run/user`,
    'install Node for the system, such as in /opt/node, and run gloss by it: docs/install.md',
  )
}

function ownSettings(): Own {
  const { config, faults, settings } = examineConfig(process.env)
  if (faults.length > 0) throw new Failure(faults.join('\n'), '')
  const isSet = (name: string): boolean => settings.some((one) => one.name === name && one.from !== 'default')
  const taken = <Value>(name: string, value: Value): Value | undefined => (isSet(name) ? value : undefined)
  const { port, adminPort, baseUrl, trustProxy }: Config = config
  return {
    port: taken('PORT', port) || undefined,
    adminPort: taken('ADMIN_PORT', adminPort) || undefined,
    baseUrl,
    trustProxy,
    databaseUrlFile: process.env['DATABASE_URL_FILE'] || undefined,
  }
}

/** Makes all edits at once, so that none changes what another has written. Throws if the file lacks one of the texts. */
function edited(name: string, text: string, edits: readonly Edit[]): string {
  const missing = edits.find(([delivered]) => !text.includes(delivered))
  if (missing !== undefined) throw new Error(`deploy/${name} has no '${missing[0]}'`)
  if (edits.length === 0) return text
  const any = new RegExp(
    edits.map(([delivered]) => delivered.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'),
    'g',
  )
  const written = new Map(edits)
  return text.replace(any, (found) => written.get(found) ?? found)
}

function editsOf(recipe: Recipe, name: string, own: Own): readonly Edit[] {
  if (name.endsWith('.service')) return unitEdits(name, own)
  switch (recipe) {
    case 'compose':
      return name === 'compose.yaml' ? composeEdits(own) : outerEdits(own, haproxyOuter)
    case 'kubernetes':
      return kubernetesEdits(own)
    case 'nginx':
      return [...serverEdits(own), ...outerEdits(own, nginxOuter)]
    case 'haproxy':
      return [...serverEdits(own), ...adminEdits(own), ...outerEdits(own, haproxyOuter)]
    case 'systemd':
      return []
  }
}

const when = <Value>(value: Value | undefined, edit: (value: Value) => readonly Edit[]): readonly Edit[] =>
  value === undefined ? [] : edit(value)

const whenTrusted = ({ trustProxy }: Own, edit: (list: string) => Edit): readonly Edit[] =>
  trustProxy.length === 0 ? [] : [edit(trustProxy.join(','))]

function unitEdits(name: string, own: Own): Edit[] {
  const both: Edit[] = [
    ['/usr/bin/node', process.execPath],
    ...when(own.databaseUrlFile, (it): Edit[] => [['/etc/gloss/database-url', resolve(it)]]),
  ]
  if (name === 'gloss-backup.service') return both
  return [
    ...both,
    ...when(own.port, (it): Edit[] => [['Environment=PORT=8080', `Environment=PORT=${it}`]]),
    ...when(own.adminPort, (it): Edit[] => [['ADMIN_PORT=9080', `ADMIN_PORT=${it}`]]),
    ...whenTrusted(own, (list) => ['TRUST_PROXY=loopback', `TRUST_PROXY=${list}`]),
    ...when(own.baseUrl, (it): Edit[] => [
      [
        '# Environment=BASE_URL=https://gloss.example.org',
        `Environment=BASE_URL=${it.replaceAll('%', '%%')}`,
      ],
    ]),
  ]
}

/** The image is built in a checkout, so the file names it by its version and does not build it. */
const composeEdits = (own: Own): Edit[] => [
  ['deploy/secrets/', 'secrets/'],
  ['deploy/compose.yaml', 'compose.yaml'],
  [' run --build --rm', ' run --rm'],
  [' up --build --wait', ' up --wait'],
  [
    'image: gloss\n  build:\n    context: ..\n    dockerfile: deploy/Containerfile\n',
    `# In a checkout: docker build -f deploy/Containerfile -t gloss:${VERSION} .\n  image: gloss:${VERSION}\n`,
  ],
  ...when(own.port, (it): Edit[] => [
    ['127.0.0.1:8000:8000', `127.0.0.1:${it}:8000`],
    ['http://127.0.0.1:8000.', `http://127.0.0.1:${it}.`],
  ]),
  ...whenTrusted(own, (list) => ['TRUST_PROXY: 172.30.80.2', `TRUST_PROXY: 172.30.80.2,${list}`]),
  ...when(own.baseUrl, (it): Edit[] => [
    [
      '# BASE_URL: https://gloss.example.org',
      `BASE_URL: '${it.replaceAll("'", "''").replaceAll('$', '$$$$')}'`,
    ],
  ]),
]

const kubernetesEdits = (own: Own): Edit[] => [
  ...when(own.baseUrl, (it): Edit[] => [
    ['value: https://gloss.example.org', `value: '${it.replaceAll("'", "''")}'`],
    ['gloss.example.org', new URL(it).hostname],
  ]),
  ...whenTrusted(own, (list) => ['value: 10.0.0.0/8', `value: '${list}'`]),
]

/** Two instances, at ports next to each other. */
const serverEdits = ({ port }: Own): readonly Edit[] =>
  when(port, (it): Edit[] => [
    ['127.0.0.1:8080', `127.0.0.1:${it}`],
    ['127.0.0.1:8081', `127.0.0.1:${it + 1}`],
  ])

const adminEdits = ({ adminPort }: Own): readonly Edit[] =>
  when(adminPort, (it): Edit[] => [
    [' port 9080', ` port ${it}`],
    [' port 9081', ` port ${it + 1}`],
  ])

/** The trusted addresses and networks, without those of this machine and the names of several networks. */
function outerEdits({ trustProxy }: Own, edit: (list: readonly string[]) => Edit): readonly Edit[] {
  const outer = trustProxy.filter((one) => /^[\d.:a-f]+(\/\d+)?$/i.test(one) && !/^(127\.|::1)/.test(one))
  return outer.length === 0 ? [] : [edit(outer)]
}

const haproxyOuter = (list: readonly string[]): Edit => [
  'acl outer src --',
  `acl outer src -- ${list.join(' ')}`,
]
const nginxOuter = (list: readonly string[]): Edit => [
  'default 0;',
  ['default 0;', ...list.map((one) => `${one} 1;`)].join('\n        '),
]
