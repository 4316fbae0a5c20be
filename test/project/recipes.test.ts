/** The recipes of deploy/: neither git nor the image's build takes up what they make, and each trusts its proxies. */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse, parseAllDocuments } from 'yaml'
import { STATUS } from '../../common/failure.ts'
import { ROOT } from '../../scripts/pack/root.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

interface Compose {
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment?: Readonly<Record<string, string>>
        readonly networks?: { readonly default: { readonly ipv4_address: string } }
      }
    >
  >
}

const compose = parse(read('deploy/compose.yaml'), { merge: true }) as Compose

/** The files that the recipes and `gloss init` make or ask for, inside the checkout. */
const MADE = [
  '.env',
  'deploy/.env',
  ...Object.values(compose.secrets).map(({ file }) => join('deploy', file)),
  ...globSync('deploy/*', { cwd: ROOT }).flatMap((recipe) =>
    Array.from(read(recipe).matchAll(/\b(?:deploy\/)?(secrets\/[\w-]+)/g), ([, file = '']) => [
      file,
      join('deploy', file),
    ]).flat(),
  ),
]

test.each([...new Set(MADE)])('git and the build of the image leave out %s', (file) => {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: ROOT })
  expect(status).toBe(0)
  const folders = file.split('/').map((_part, i, parts) => parts.slice(0, i + 1).join('/'))
  const left = read('.dockerignore').trim().split('\n')
  const patterns = folders.flatMap((one) => [one, `**/${one.slice(one.lastIndexOf('/') + 1)}`])
  expect(patterns.some((one) => left.includes(one))).toBe(true)
})

test('recipes make secrets', () => {
  expect(MADE).toEqual(
    expect.arrayContaining(['deploy/secrets/database-password', 'secrets/admin-password', '.env']),
  )
})

test('the instances of Compose trust the address of HAProxy alone, which leads to both', () => {
  const { haproxy, one, two } = compose.services
  const addressOf = (service: typeof haproxy): string => service?.networks?.default.ipv4_address ?? 'none'
  expect(one?.environment?.['TRUST_PROXY']).toBe(addressOf(haproxy))
  expect(two?.environment).toEqual(one?.environment)
  const command = read('deploy/compose.yaml')
  for (const [shipped, service] of [
    ['127.0.0.1:8080', one],
    ['127.0.0.1:8081 port 9081', two],
  ] as const) {
    expect(read('deploy/haproxy.cfg')).toContain(shipped)
    expect(command).toContain(`s/${shipped}/${addressOf(service)}:8080`)
  }
})

test('the file for Kubernetes has all that a service needs, TRUST_PROXY, and the port that Prometheus asks', () => {
  const resources = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJS() as object)
  const kinds = resources.map((one) => (one as { kind: string }).kind)
  expect(kinds.sort()).toEqual([
    ...['CronJob', 'Deployment', 'Ingress', 'NetworkPolicy', 'PersistentVolumeClaim'],
    ...['PodDisruptionBudget', 'Service'],
  ])
  const text = JSON.stringify(resources)
  expect(text).toContain('{"name":"TRUST_PROXY","value":"10.0.0.0/8"}')
  expect(text).toContain('"prometheus.io/port":"9080"')
  expect(text).toContain('{"name":"admin","containerPort":9080}')
})

test('Kubernetes does not make a backup again that lacks something', () => {
  const job = parseAllDocuments(read('deploy/kubernetes.yaml')).find((one) => one.get('kind') === 'CronJob')
  const { podFailurePolicy, template } = (
    job?.toJS() as { spec: { jobTemplate: { spec: { podFailurePolicy: object; template: object } } } }
  ).spec.jobTemplate.spec
  expect(podFailurePolicy).toEqual({
    rules: [
      {
        action: 'FailJob',
        onExitCodes: { containerName: 'backup', operator: 'In', values: [STATUS.partly] },
      },
    ],
  })
  // Kubernetes takes such a policy only then.
  expect(template).toMatchObject({ spec: { restartPolicy: 'Never', containers: [{ name: 'backup' }] } })
})
