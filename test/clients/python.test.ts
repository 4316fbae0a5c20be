/** The clients for Python: both keep the same promises, and do what their README shows. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { faults, STEPS } from '../../clients/scenario.ts'
import { stagePython } from '../../scripts/pack/python.ts'
import { synchronous } from '../../scripts/pack/python-sync.ts'
import { pythonEnvironment } from '../../scripts/python-environment.ts'
import { startBase } from '../consumer/bases.ts'
import { PASSWORD, startService, type Service } from '../support/service.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const README = readFileSync(join(ROOT, 'packages/client-python/README.md'), 'utf8')
/** Time to install what the tests need. */
const PATIENCE_MS = 300_000

let service: Service
let library: string
let programs: string
beforeAll(async () => {
  programs = pythonEnvironment('client-python', join(ROOT, 'test/clients/requirements.txt'))
  service = await startService()
  library = stagePython(mkdtempSync(join(tmpdir(), 'gloss-python-')))
}, PATIENCE_MS)
afterAll(async () => {
  await service.stop()
  rmSync(library, { recursive: true })
})

/** Runs Python with the client; returns what it prints. Throws with its errors if it fails. */
async function python(args: readonly string[], program = join(programs, 'python')): Promise<string> {
  const own = {
    PYTHONPATH: library,
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONUTF8: '1',
    MYPYPATH: library,
    GLOSS_URL: service.url,
    GLOSS_PASSWORD: PASSWORD,
    GLOSS_ADMIN_PASSWORD: PASSWORD,
    GLOSS_USER: 'dora',
  }
  const child = spawn(program, args, { cwd: ROOT, env: { ...process.env, ...own } })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part))
  child.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${output}${errors}`)
  return output
}

/** A program in the folder of the client. */
function written(name: string, text: string): string {
  const file = join(library, name)
  writeFileSync(file, text)
  return file
}

/** The programs of the README, each with what it prints. */
const EXAMPLES = [...README.matchAll(/^```python\n([^]*?)^```$[^`]*?^```\n([^]*?)^```$/gm)].map(
  ([, program = '', output = '']) => ({ program, output }),
)

test('runs the scenario without faults, without a package beside the standard library', async () => {
  const printed = await python(['clients/gloss-client/scenario.py'], 'python3')
  expect(printed.trim().split('\n')).toHaveLength(STEPS.length)
  expect(await faults(service.url, PASSWORD, 'dora', printed)).toEqual([])
})

const PROMISES = readFileSync(join(ROOT, 'test/clients/promises.py'), 'utf8')
test.each([
  ['asynchronous', PROMISES],
  ['synchronous', synchronous(PROMISES)],
])('the %s client keeps its promises', async (name, text) => {
  const printed = (await python([written(`${name}.py`, text)])).trim().split('\n')
  expect(printed).toEqual(Array.from(PROMISES.matchAll(/^ {8}(\w+),$/gm), ([, promise]) => promise))
})

test('threads and tasks share clients', async () => {
  expect(await python(['test/clients/sharing.py'])).toBe('shared\n')
})

test('the programs of the README print what it shows', async () => {
  expect(EXAMPLES).toHaveLength(2)
  for (const { program, output } of EXAMPLES) {
    const here = program.replace('http://127.0.0.1:8080', service.url).replace('wonderland', PASSWORD)
    expect(await python(['-c', here])).toBe(output)
  }
})

const TYPED = `from typing import reveal_type
from gloss_client import Client, KnownErrorClass, ServiceError
from gloss_client.aio import AsyncClient

client = Client("http://127.0.0.1")
client.put_values(queries=[["has a/b", {"a/b": {"value": 5}}], ("has a/b", {"a/c": {"value": ["x"]}})])
client.search_objects(query="has a/b", count="upto:1000")
reveal_type(client.read_value("a/b", id="x"))
reveal_type(client.read_value("a/b", id="x", if_none_match="y"))
found = AsyncClient("http://127.0.0.1").search("has a/b")
reveal_type(found)
client.get_facets(query="has a/b", tag=["a/b"], scale="round")  # wrong
client.find_objects()  # wrong
client.put_values(queries=[["has a/b", {"a/b": {"worth": 5}}]])  # wrong
unknown: KnownErrorClass = "TNoSuchusr"  # wrong
client.get_tag("a/b").get("id").foo  # wrong
AsyncClient("http://127.0.0.1", "a", lambda: "b")  # wrong
`

test(
  'types are right in the package and its examples, and find what is wrong',
  async () => {
    const examples = EXAMPLES.map(({ program }, i) => written(`example_${String(i)}.py`, program))
    const mypy = ['-m', 'mypy', '--strict', '--cache-dir', join(library, 'cache')]
    await python([...mypy, '-p', 'gloss_client'])
    await python([...mypy, ...examples, 'clients/gloss-client/scenario.py'])
    const found = await python([...mypy, written('typed.py', TYPED)]).catch(String)
    const lines = TYPED.split('\n').flatMap((line, i) => (line.endsWith('# wrong') ? [i + 1] : []))
    const errors = [...found.matchAll(/typed\.py:(\d+): error/g)].map(([, line]) => Number(line))
    expect([...new Set(errors)]).toEqual(lines)
    const revealed = [...found.matchAll(/Revealed type is "(.*)"/g)].map(([, type]) => type)
    expect(revealed).toEqual([
      'gloss_client._wire.Value',
      'gloss_client._wire.Value | None',
      expect.stringContaining('AsyncIterator['),
    ])
  },
  PATIENCE_MS,
)

const HELP = `
import inspect, pydoc
from gloss_client import Client
for name, method in inspect.getmembers(Client, inspect.isfunction):
    if name.startswith("_"):
        continue
    lines = pydoc.plaintext.document(method).splitlines()[1:]
    assert all(len(line) <= 100 for line in lines), (name, max(lines, key=len))
    text = "\\n".join(lines)
    for argument in list(inspect.signature(method).parameters)[1:]:
        assert f" {argument}: " in text, (name, argument)
print(pydoc.plaintext.document(Client.search_objects))`

test('help describes each method, its arguments, what it returns, and its errors', async () => {
  const help = await python(['-c', HELP])
  for (const part of [
    '    Search, page by page.\n',
    '\n        limit: How many objects to return at most. The default is `100`.\n',
    '\n            next: What to send as `cursor` for the following page. Absent on the last page.\n',
    '\n            404: TNonexistentTag\n',
  ]) {
    expect(help).toContain(part)
  }
})

test('says what the asynchronous client needs where that is missing', async () => {
  const program = 'import gloss_client, sys; sys.modules["httpx"] = None; import gloss_client.aio'
  await expect(python(['-c', program])).rejects.toThrow("pip install 'gloss-client[async]'")
})

test('reads the examples of the mock', async () => {
  const mock = await startBase('mock')
  try {
    const program = `
from gloss_client import Client
client = Client("${mock.url}", "alice", "${mock.password}")
client.write_value("alice/books/rating", 2**60, about="book:Dune")
print(client.read_value("alice/books/rating", about="book:Dune").value, client.get_user("alice")["name"])`
    expect(await python(['-c', program])).toBe('9 Alice Liddell\n')
  } finally {
    await mock.stop()
  }
})
