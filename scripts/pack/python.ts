/** Assembles the Python package, and makes a wheel and a source distribution. */
import { appendFileSync, chmodSync, cpSync, existsSync, globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder, run } from './npm.ts'
import { pythonMetadata, pythonVersion } from './python-metadata.ts'
import { pythonOperations } from './python-operations.ts'
import { manifest, ROOT, STAGE } from './root.ts'

const NAME = 'client-python'
const MODULE = 'gloss_client'
const BUILD = 'build==1.6.1'

/** The client, the operations of the contract and the version of the project. */
export function stagePython(folder = emptyFolder(NAME)): string {
  const filter = (file: string): boolean => !file.endsWith('__pycache__')
  cpSync(join(ROOT, 'packages', NAME), folder, { recursive: true, filter })
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  writeFileSync(join(folder, MODULE, '_operations.py'), pythonOperations())
  appendFileSync(join(folder, MODULE, '__init__.py'), `__version__ = "${pythonVersion(manifest.version)}"\n`)
  appendFileSync(join(folder, 'pyproject.toml'), pythonMetadata(manifest))
  return folder
}

/** Makes both from a folder; returns the wheel. The first run needs the Python package index. */
export function packPython(folder: string): string {
  for (const old of globSync(`${MODULE}-*`, { cwd: STAGE })) rmSync(join(STAGE, old))
  run(pythonWithBuild(), ['-m', 'build', '--outdir', STAGE, folder])
  // Only their owner can read them as they are made.
  const files = globSync(`${MODULE}-*`, { cwd: STAGE }).map((file) => join(STAGE, file))
  for (const file of files) chmodSync(file, 0o644)
  return files.find((file) => file.endsWith('.whl')) ?? ''
}

/** A virtual environment, because the Python of the system may lack packages. */
function pythonWithBuild(): string {
  const environment = join(STAGE, 'python')
  const python = join(environment, 'bin', 'python')
  if (!existsSync(join(environment, 'bin', 'pyproject-build'))) {
    run('python3', ['-m', 'venv', '--clear', environment])
    run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', BUILD])
  }
  return python
}
