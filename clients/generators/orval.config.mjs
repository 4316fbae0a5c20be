const input = process.env.DOCUMENT

export default {
  fetch: { input, output: { client: 'fetch', mock: true, target: 'orval-fetch/gloss.ts' } },
  zod: { input, output: { client: 'zod', target: 'orval-zod/gloss.ts' } },
  mcp: { input, output: { client: 'mcp', mode: 'single', target: 'orval-mcp/handlers.ts' } },
}
