export default {
  input: process.env.DOCUMENT,
  output: 'hey-api',
  plugins: [
    '@hey-api/client-fetch',
    '@hey-api/typescript',
    '@hey-api/schemas',
    '@hey-api/sdk',
    '@hey-api/transformers',
    '@tanstack/react-query',
    'valibot',
    'zod',
  ],
}
