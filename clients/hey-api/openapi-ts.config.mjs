/** Hey API: a fetch client, types and one function an operation. */
export default {
  input: process.env.DOCUMENT,
  output: 'client',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
}
