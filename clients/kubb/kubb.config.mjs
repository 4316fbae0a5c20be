import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

/** Kubb: types and one function an operation, which sends by `fetcher.ts`. */
export default defineConfig({
  input: { path: process.env.DOCUMENT },
  output: { path: 'client', clean: true, format: false },
  plugins: [
    pluginOas({ generators: [] }),
    pluginTs(),
    pluginClient({ dataReturnType: 'full', importPath: '../../fetcher.ts' }),
  ],
})
