/** Every operation that runs a query. */
import type { Options } from '../support/service.ts'

/** Their names, and the request that each needs for a query; the tag `alice/few` must exist. */
export const QUERYING: readonly (readonly [
  name: string,
  ask: (query: string) => readonly [string, string, Options],
])[] = [
  ['GET /objects', (query) => ['GET', '/objects', { query: { query } }]],
  ['HEAD /objects', (query) => ['HEAD', '/objects', { query: { query } }]],
  ['HEAD /values', (query) => ['HEAD', '/values', { query: { query, tag: 'alice/few' } }]],
  ['GET /values', (query) => ['GET', '/values', { query: { query, tag: 'alice/few' } }]],
  ['DELETE /values', (query) => ['DELETE', '/values', { query: { query, tag: 'alice/few' } }]],
  [
    'PUT /values',
    (query) => ['PUT', '/values', { json: { queries: [[query, { 'alice/few': { value: 1 } }]] } }],
  ],
  ['GET /search', (query) => ['GET', '/search', { query: { query, sort: 'alice/few' } }]],
  ['HEAD /search', (query) => ['HEAD', '/search', { query: { query, count: 'exact' } }]],
  ['GET /search/facets', (query) => ['GET', '/search/facets', { query: { query, tag: 'alice/few' } }]],
  ['HEAD /search/facets', (query) => ['HEAD', '/search/facets', { query: { query, tag: 'alice/few' } }]],
  ['GET /recent/objects', (query) => ['GET', '/recent/objects', { query: { query } }]],
  ['GET /recent/users', (query) => ['GET', '/recent/users', { query: { query } }]],
  ['HEAD /recent/objects', (query) => ['HEAD', '/recent/objects', { query: { query } }]],
  ['HEAD /recent/users', (query) => ['HEAD', '/recent/users', { query: { query } }]],
]
