/** How the console is built: one page, its chunks, and the licences of what is in them, below any path. */
import { minify } from '@swc/core'
import { defineConfig, type Plugin } from 'vite'
import { coast } from './coast.ts'
import { unused } from './unused.ts'

/**
 * What is loaded together, by the paths of its modules; the first that fits counts. Few large chunks are compressed
 * better than many small ones. All that is not named here comes with the page, such as what several of them share.
 */
const CHUNKS: Readonly<Record<string, RegExp>> = {
  map: /console\/src\/map\//,
  // Digits and script have different characters, and are each compressed better without the other.
  coast: /world-atlas/,
  import: /console\/src\/import\/|common\/importing\/(?!sending)/,
  ask: /console\/src\/(ask|facets|chart)|spel[lt]|leven/,
  query:
    /console\/src\/query\/(?!box|text|history|compose)|(?<!console\/)src\/query\/|query-grammar|nearley|moo\//,
  writing:
    /(?<!console\/)src\/model\/(json|tag-value)|importing\/sending|common\/changing\/[cw]|console\/src\/change/,
  views: /console\/src\/(thing|object|edit|recent|users|help|permissions)|changing\/policies/,
  index: /./,
}

/** What swc finds to leave out of chunks besides; what it leaves is then minified as chunks are without it. */
const compressed = (): Plugin => ({
  name: 'compressed',
  async renderChunk(code) {
    const found = await minify(code, { module: true, compress: { passes: 3, ecma: 2020 }, mangle: false })
    return { code: found.code, map: null }
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  plugins: [coast(), unused(), compressed()],
  // Calls of `h` are shorter than those of the automatic runtime, which name the children.
  oxc: {
    jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' },
    jsxInject: "import { Fragment, h } from 'preact'",
  },
  build: {
    outDir: 'built',
    emptyOutDir: true,
    // What browsers need to read ints of 64 bits (packages/client/json.ts).
    target: ['chrome114', 'firefox135', 'safari18.4'],
    // Browsers would take a data URL for what the policy of the page does not allow.
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    // What the page itself begins with is fetched at once; each other chunk needs few others, which its own first lines name.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []),
    },
    license: { fileName: 'assets/licenses.md' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: Object.entries(CHUNKS).map(([name, test], at) => ({ name, test, priority: 100 - at })),
        },
      },
    },
  },
})
