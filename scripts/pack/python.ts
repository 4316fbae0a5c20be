/** Assembles the Python package and makes a wheel. */
import { appendFileSync, cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, run } from './npm.ts'
import { pythonOperations } from './python-operations.ts'
import { synchronous } from './python-sync.ts'
import { manifest, ROOT, STAGE } from './root.ts'

const NAME = 'client-python'
const MODULE = 'gloss_client'

/** Both clients, the operations of the contract and the version of the project. */
export function stagePython(folder = emptyFolder(NAME)): string {
  const filter = (file: string): boolean => !file.endsWith('__pycache__')
  cpSync(join(ROOT, 'packages', NAME), folder, { recursive: true, filter })
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const { types, operations } = pythonOperations()
  const client = readFileSync(join(folder, MODULE, 'aio.py'), 'utf8')
  const modules = {
    _types: types,
    _aio_operations: operations,
    _operations: synchronous(operations),
    _client: synchronous(client),
  }
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, MODULE, `${name}.py`), text)
  appendFileSync(join(folder, MODULE, '__init__.py'), `__version__ = "${manifest.version}"\n`)
  return folder
}

/** Makes a wheel from a folder; returns the file. The first run needs the Python package index. */
export function packPython(folder: string): string {
  for (const old of globSync(`${MODULE}-*.whl`, { cwd: STAGE })) rmSync(join(STAGE, old))
  const pip = [
    '-m',
    'pip',
    'wheel',
    '--quiet',
    '--disable-pip-version-check',
    '--no-deps',
    '--wheel-dir',
    STAGE,
  ]
  run(pythonWithPip(), [...pip, folder])
  const [wheel] = globSync(`${MODULE}-*.whl`, { cwd: STAGE })
  return join(STAGE, wheel ?? '')
}

/** A virtual environment, because the Python of the system may lack pip. */
function pythonWithPip(): string {
  const environment = join(STAGE, 'python')
  const python = join(environment, 'bin', 'python')
  if (!existsSync(join(environment, 'bin', 'pip'))) run('python3', ['-m', 'venv', '--clear', environment])
  return python
}
