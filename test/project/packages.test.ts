/** What packages are made of; `npm run test:packages` installs them and tries them out. */
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { placesOf } from '../../scripts/pack/lock.ts'
import { pythonOperations } from '../../scripts/pack/python-operations.ts'
import { stagePython } from '../../scripts/pack/python.ts'
import { synchronous } from '../../scripts/pack/python-sync.ts'
import { manifest, ROOT } from '../../scripts/pack/root.ts'

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

test.each(['gloss', 'gloss-mock', 'client'])('%s leaves its version and licence to the project', (name) => {
  const own = json(`packages/${name}/package.json`)
  expect(own).toMatchObject({ type: 'module' })
  expect(Object.keys(own)).not.toEqual(expect.arrayContaining(['version', 'license']))
})

test.each(['gloss', 'gloss-mock'])('the command of %s is a program that is compiled', (name) => {
  const { bin } = json(`packages/${name}/package.json`) as { bin: Record<string, string> }
  const { [name]: file = '' } = bin
  const source = readFileSync(join(ROOT, file.replace('dist/', '').replace('.js', '.ts')), 'utf8')
  expect(source).toMatch(/^#!\/usr\/bin\/env node\n/)
})

test('the client for TypeScript needs the version of openapi-fetch that it is tested with, and nothing else', () => {
  expect(json('packages/client/package.json')).toMatchObject({
    dependencies: { 'openapi-fetch': manifest.dependencies['openapi-fetch'] },
  })
  const imported = globSync('packages/client/*.ts', { cwd: ROOT }).flatMap((file) => [
    ...readFileSync(join(ROOT, file), 'utf8').matchAll(/from '([^.'][^']*)'/g),
  ])
  expect([...new Set(imported.map(([, name]) => name))]).toEqual(['openapi-fetch'])
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
  expect(init).toMatch(new RegExp(`^__version__ = "${manifest.version}"$`, 'm'))
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
