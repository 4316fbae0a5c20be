/** What packages are made of; `npm run test:packages` installs them and tries them out. */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from '@jest/globals'
import { parse } from 'yaml'
import { stageContract } from '../../scripts/pack/contract.ts'
import { placesOf } from '../../scripts/pack/lock.ts'
import { manifestOf } from '../../scripts/pack/manifest.ts'
import { pythonMetadata, pythonVersion } from '../../scripts/pack/python-metadata.ts'
import { pythonOperations } from '../../scripts/pack/python-operations.ts'
import { stagePython } from '../../scripts/pack/python.ts'
import { synchronous } from '../../scripts/pack/python-sync.ts'
import { manifest, ROOT } from '../../scripts/pack/root.ts'

/** The packages for npm, by their folders. */
const NAMES: Readonly<Record<string, string>> = {
  client: '@gloss/client',
  contract: '@gloss/contract',
  gloss: 'gloss',
  mock: '@gloss/mock',
}

const json = (file: string): object => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as object

test('a package is taken from where Node finds it, with what it needs, but for types and what is not there', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1', c: '1' }, optionalDependencies: { gone: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': { dependencies: { tool: '1' } },
    'node_modules/c': {
      peerDependencies: { '@types/node': '1', d: '1', e: '1' },
      peerDependenciesMeta: { e: { optional: true } },
    },
    'node_modules/d': { dependencies: { a: '1' } },
    'node_modules/e': {},
    'node_modules/tool': {},
    'node_modules/@types/node': {},
  }
  const places = ['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c', 'node_modules/d']
  expect(placesOf(['a'], packages)).toEqual(places)
})

test('the package of the service brings what it imports and no tool', () => {
  const places = placesOf(Object.keys(manifest.dependencies))
  for (const name of Object.keys(manifest.dependencies)) expect(places).toContain(`node_modules/${name}`)
  const tools = Object.keys(manifest.devDependencies).filter((name) =>
    places.includes(`node_modules/${name}`),
  )
  expect(tools).toEqual([])
})

test.each(Object.keys(NAMES))('%s leaves its version, licence and links to the project', (name) => {
  const own = json(`packages/${name}/package.json`)
  expect(own).toMatchObject({ name: NAMES[name], type: 'module', keywords: expect.any(Array) })
  const ofProject = ['version', 'license', 'author', 'homepage', 'repository', 'bugs', 'publishConfig']
  expect(Object.keys(own).filter((key) => ofProject.includes(key))).toEqual([])
  // In the registry of npm, this name is that of another package.
  expect('private' in own).toBe(name === 'gloss')
})

test('a published package has the version, licence and Node of the project, and no links that it lacks', () => {
  const project = { ...manifest, version: '1.2.3' }
  const whole = manifestOf({ name: '@gloss/x' }, project, { dependencies: {} })
  const { license, engines } = manifest
  const wanted = { name: '@gloss/x', version: '1.2.3', license, engines, dependencies: {} }
  expect(whole).toEqual({ ...wanted, publishConfig: { access: 'public' } })
  expect(manifestOf({ private: true }, project, {})).not.toHaveProperty('publishConfig')
})

test('a repository that is configured is named, with provenance, and a pre-release is not the latest version', () => {
  const links = {
    author: { name: 'Ada', email: 'ada@example.org' },
    homepage: 'https://gloss.example.org',
    repository: { type: 'git', url: 'git+https://git.example.org/gloss.git' },
    bugs: { url: 'https://git.example.org/gloss/issues' },
  }
  const project = { ...manifest, version: '1.0.0-rc.1', ...links }
  expect(manifestOf({ engines: { node: '>=22' } }, project, {})).toEqual({
    engines: { node: '>=22' },
    version: '1.0.0-rc.1',
    license: manifest.license,
    ...links,
    publishConfig: { access: 'public', provenance: true, tag: 'next' },
  })
  expect(pythonMetadata(project).trim().split('\n')).toEqual([
    '[[project.authors]]',
    'name = "Ada"',
    'email = "ada@example.org"',
    '',
    '[project.urls]',
    'Homepage = "https://gloss.example.org"',
    'Repository = "https://git.example.org/gloss.git"',
    'Issues = "https://git.example.org/gloss/issues"',
  ])
  expect(pythonMetadata(manifest).trim()).toBe('')
})

test.each([
  ['1.0.0', '1.0.0'],
  ['1.0.0-rc.1', '1.0.0rc1'],
  ['1.2.3-alpha.10', '1.2.3a10'],
  ['1.2.3-beta.2', '1.2.3b2'],
])('version %s is %s in Python', (version, wanted) => {
  expect(pythonVersion(version)).toBe(wanted)
})

test.each(['1.0', '1.0.0-next.1', '1.0.0-rc'])('Python has no version like %s', (version) => {
  expect(() => pythonVersion(version)).toThrow(version)
})

test('the package of the contract has what it exports, and its licence and README, and no more', () => {
  const folder = stageContract(mkdtempSync(join(tmpdir(), 'gloss-contract-')))
  const { exports, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>
    version: string
  }
  const files = Object.values(exports).map((file) => (typeof file === 'string' ? file : file.types).slice(2))
  expect(readdirSync(folder).toSorted()).toEqual([...files, 'LICENSE', 'README.md'].toSorted())
  const documents = files.filter((file) => /^openapi.*\.(json|yaml)$/.test(file))
  for (const file of documents) {
    const { info } = parse(readFileSync(join(folder, file), 'utf8')) as { info: { version: string } }
    expect([file, info.version]).toEqual([file, version])
  }
  const named = [
    ...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/`([\w.-]+\.(?:json|yaml|ts|md))`/g),
  ]
  expect(named.map(([, name]) => name).toSorted()).toEqual(
    files.filter((file) => file !== 'package.json').toSorted(),
  )
  rmSync(folder, { recursive: true })
})

test.each(['gloss', 'mock'])('the command of %s is a program that is compiled', (name) => {
  const { bin } = json(`packages/${name}/package.json`) as { bin: Record<string, string> }
  const [file = ''] = Object.values(bin)
  const source = readFileSync(join(ROOT, file.replace('dist/', '').replace('.js', '.ts')), 'utf8')
  expect(source).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('the client for TypeScript needs the version of openapi-fetch that it is tested with, and msw for its handlers alone', () => {
  expect(json('packages/client/package.json')).toMatchObject({
    dependencies: { 'openapi-fetch': manifest.dependencies['openapi-fetch'] },
  })
  const imported = globSync('packages/client/*.ts', { cwd: ROOT }).flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), 'utf8').matchAll(/from '([^.'][^']*)'/g), ([, name]) => [
      basename(file),
      name,
    ]),
  )
  expect(imported.sort()).toEqual([
    ['client.ts', 'openapi-fetch'],
    ['contract.ts', 'openapi-fetch'],
    ['msw.ts', 'msw'],
  ])
})

test('the package for Python has its module, made and written, its types, README and licence, and no more', () => {
  const folder = stagePython(mkdtempSync(join(tmpdir(), 'gloss-python-')))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /[.E]/.test(file))
  const modules = [
    '__init__',
    '_aio_operations',
    '_aio_transport',
    '_client',
    '_error',
    '_operations',
    '_path',
    '_transport',
    '_types',
    '_wire',
    'aio',
  ]
  const wanted = ['LICENSE', 'README.md', 'pyproject.toml', 'gloss_client/py.typed']
  expect(files.toSorted()).toEqual(
    [...wanted, ...modules.map((name) => `gloss_client/${name}.py`)].toSorted(),
  )
  const init = readFileSync(join(folder, 'gloss_client/__init__.py'), 'utf8')
  expect(init).toMatch(new RegExp(`^__version__ = "${pythonVersion(manifest.version)}"$`, 'm'))
  rmSync(folder, { recursive: true })
})

test('the synchronous client for Python is the asynchronous one without waiting', () => {
  const text = `from collections.abc import AsyncIterator, Awaitable
from ._aio_transport import AsyncTransport
class AsyncClient(AsyncOperations):
    async def __aenter__(self) -> Awaitable[str]:
        async with await self.a(await_more) as b:
            return [x async for x in b]`
  expect(synchronous(text)).toBe(`from collections.abc import Iterator
from ._transport import Transport
class Client(Operations):
    def __enter__(self) -> str:
        with self.a(await_more) as b:
            return [x for x in b]`)
  const folder = stagePython(mkdtempSync(join(tmpdir(), 'gloss-python-')))
  for (const name of ['_client', '_operations']) {
    const made = readFileSync(join(folder, `gloss_client/${name}.py`), 'utf8')
    expect(made).not.toMatch(/async|await|aio/i)
  }
  rmSync(folder, { recursive: true })
})

test('the client for Python has a method for each operation but those of single values and documents', () => {
  const contract = readFileSync(join(ROOT, 'generated/openapi.yaml'), 'utf8')
  // Links name operations, too.
  const operations = new Set(
    [...contract.matchAll(/^ {6}operationId: (\w+)$/gm)].map(([, name = '']) => name),
  )
  const wanted = [...operations].filter(
    (name) => !/^(head|getContract|getReference|getCross|(get|put)Value(ByAbout)?$)/.test(name),
  )
  const methods = [...pythonOperations().operations.matchAll(/^ {4}async def ([a-z]\w*)\(/gm)].map(
    ([, name = '']) => name,
  )
  expect(wanted.length).toBeGreaterThan(20)
  expect(methods.toSorted()).toEqual(
    wanted.map((name) => name.replaceAll(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)).toSorted(),
  )
})

test('the command of this folder is that of the package', () => {
  expect(json('package.json')).toMatchObject({ bin: { gloss: 'dist/command/gloss.js' } })
})

test('the packages that make spans are named as they are tested', () => {
  const { peerDependencies } = json('packages/gloss/package.json') as {
    peerDependencies: Record<string, string>
  }
  const wanted = Object.entries(peerDependencies)
  expect(wanted.length).toBeGreaterThan(0)
  expect(Object.entries(manifest.devDependencies)).toEqual(expect.arrayContaining(wanted))
  const names = wanted.map(([name, version]) => `${name}@${version}`)
  expect(readFileSync(join(ROOT, 'docs/monitoring.md'), 'utf8')).toContain(`npm install ${names.join(' ')}\n`)
})
