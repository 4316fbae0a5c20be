/** Prints how many octets all of the client for TypeScript is, minified, after gzip. */
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { ROOT } from './digest.ts'

const built = await build({
  configFile: false,
  root: ROOT,
  logLevel: 'silent',
  build: {
    write: false,
    modulePreload: false,
    rolldownOptions: { input: 'packages/client/index.ts', preserveEntrySignatures: 'strict' },
  },
})
const { output } = built as { output: { code: string }[] }
const code = output.map((chunk) => chunk.code).join('')
console.log(gzipSync(code, { level: 9 }).length)
