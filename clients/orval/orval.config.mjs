/** Orval: one function an operation, on a fetcher of our own. */
export default {
  gloss: {
    input: process.env.DOCUMENT,
    output: {
      target: 'gloss.ts',
      client: 'fetch',
      override: { mutator: { path: 'fetcher.ts', name: 'send' } },
    },
  },
}
