/** Prints how many octets all of the client for TypeScript is, minified, after gzip. */
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { ROOT } from './digest.ts'

const built = await build({
  configFile: false,
  root: ROOT,
  logLevel: 'silent',
  build: { write: false, lib: { entry: 'packages/client/index.ts', formats: ['es'] }, minify: 'oxc' },
})
const bundles = built as { output: { code: string }[] }[]
const code = bundles.flatMap(({ output }) => output.map((chunk) => chunk.code)).join('')
console.log(gzipSync(code, { level: 9 }).length)
