/** The attacks with searches and reads. */
import type { Attack } from './attack.ts'
import { sendMany, sendOne, sendRepeatedly } from './clients.ts'
import { credentials, JSON_BODY, numbersOf, ownerOf } from './store.ts'

/** Formats a number with group separators. */
export const grouped = (size: number): string => size.toLocaleString('en')

/** The number of operators that a query may have, minus one. */
const CONDITIONS = 499

/** A query with the maximum number of conditions, all on one tag. */
const conditionsOn = (tag: string): string =>
  Array.from({ length: CONDITIONS }, (_, i) => `${tag} != ${i}`).join(' or ')

/** A search with such a query. */
const searchOn = (tag: string): string => `/objects?query=${encodeURIComponent(conditionsOn(tag))}`

export const SEARCHES: readonly Attack[] = [
  {
    name: 'conditions',
    what: (size) => `search, ${CONDITIONS} conditions on a tag of ${grouped(size)} values`,
    size: 60_000,
    quick: 6_000,
    expected: ['200', '413'],
    bystanders: ['read', 'search'],
    prepare: (size, contents) => {
      const path = searchOn(numbersOf(size, contents))
      return (target) => sendOne(target, ['GET', path, { headers: credentials('mallory') }])
    },
  },
  {
    name: 'four-conditions',
    what: (size) => `four of these at once by one user, on ${grouped(size)} values`,
    size: 60_000,
    quick: 6_000,
    expected: ['200', '413'],
    bystanders: ['read', 'search'],
    prepare: (size, contents) => {
      const path = searchOn(numbersOf(size, contents))
      return (target) => sendMany(target, 4, () => ['GET', path, { headers: credentials('mallory') }])
    },
  },
  {
    name: 'recent',
    what: (size) => `GET /recent/users/{name}, ${grouped(size)} values that are not for the asker`,
    size: 660_000,
    quick: 66_000,
    expected: ['200'],
    growth: 1.1,
    prepare: (size, contents) => {
      const path = `/recent/users/${ownerOf(size, contents)}`
      return (target) => sendRepeatedly(target, ['GET', path])
    },
  },
  {
    name: 'suggestions',
    what: (size) => `GET /search/suggest, a tag of ${grouped(size)} different values, anonymous`,
    size: 60_000,
    quick: 6_000,
    expected: ['200'],
    prepare: (size, contents) => {
      const path = `/search/suggest?tag=${numbersOf(size, contents)}`
      return (target) => sendRepeatedly(target, ['GET', path])
    },
  },
  {
    name: 'pages',
    what: (size) =>
      `GET /search, ${grouped(size)} objects counted and sorted by what they are about, anonymous`,
    size: 60_000,
    quick: 6_000,
    expected: ['200'],
    bystanders: ['read', 'search'],
    prepare: (size, contents) => {
      const path = `/search?query=has+${numbersOf(size, contents)}&sort=service/about&count=exact&limit=1000&tag=*`
      return (target) => sendRepeatedly(target, ['GET', path])
    },
  },
  {
    name: 'facets',
    what: (size) => `GET /search/facets, ${grouped(size)} different values in 100 bins, anonymous`,
    size: 60_000,
    quick: 6_000,
    expected: ['200'],
    bystanders: ['read', 'search'],
    prepare: (size, contents) => {
      const tag = numbersOf(size, contents)
      const path = `/search/facets?query=has+${tag}&tag=${tag}&tag=service/about&top=100&bins=100`
      return (target) => sendRepeatedly(target, ['GET', path])
    },
  },
  {
    name: 'check',
    what: (size) =>
      `POST /search/check, ${CONDITIONS} conditions on a tag of ${grouped(size)} values, anonymous`,
    size: 60_000,
    quick: 6_000,
    expected: ['200', '413'],
    bystanders: ['read', 'search'],
    prepare: (size, contents) => {
      const query = conditionsOn(numbersOf(size, contents))
      const sent = { body: JSON.stringify({ query }), headers: JSON_BODY }
      return (target) => sendOne(target, ['POST', '/search/check', sent])
    },
  },
]
