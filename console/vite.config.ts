/** How the console is built: one page, its chunks, and the licences of what is in them, below any path. */
import { defineConfig } from 'vite'
import { coast } from './coast.ts'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  plugins: [coast()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'built',
    emptyOutDir: true,
    // What browsers need to read ints of 64 bits (packages/client/json.ts).
    target: ['chrome114', 'firefox135', 'safari18.4'],
    // Browsers would take a data URL for what the policy of the page does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'assets/licenses.md' },
  },
})
