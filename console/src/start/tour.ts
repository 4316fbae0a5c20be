/** The questions of the demo, which show values of several owners on the same objects. */
import type { Example } from './examples.ts'

/** A question, and the owners of its tags. */
export interface Step extends Example {
  /** The users whose namespaces must exist. */
  readonly owners: readonly string[]
  /** The reason why it is interesting. */
  readonly why: string
}

/** The best order to read them. */
const STEPS: readonly Step[] = [
  {
    owners: ['cities'],
    says: 'Where are the cities with more than a million people?',
    why: 'One owner, two numbers: on a map.',
    query: 'cities/population > 1000000',
    columns: ['cities/name', 'cities/country', 'cities/population', 'cities/lat', 'cities/lon'],
    sort: '-cities/population',
    show: 'map',
  },
  {
    owners: ['countries', 'unicode'],
    says: 'Which neighbours of Russia do not write in Cyrillic?',
    why: 'Two owners who do not know each other, on the same objects.',
    query: 'countries/borders contains "RU" except unicode/scripts contains "Cyrillic"',
    columns: ['countries/name', 'unicode/scripts'],
  },
  {
    owners: ['alice', 'cities', 'countries'],
    says: 'Where above 55° north did Alice like it?',
    why: 'What a person thinks of places, beside what others know of them.',
    query: 'alice/rating >= 8 and (cities/lat > 55 or countries/lat > 55)',
    columns: ['cities/name', 'countries/name', 'alice/visited', 'alice/rating'],
    sort: '-alice/rating',
  },
  {
    owners: ['alice', 'unicode'],
    says: 'What did Alice note down about ferries?',
    why: 'Only she may read her notes: see what you are told, then sign in as alice.',
    query: 'alice/note matches "ferry"',
    columns: ['cities/name', 'alice/note'],
  },
]

/** The questions for which all namespaces exist. */
export const tourOf = (namespaces: ReadonlySet<string>): readonly Step[] =>
  STEPS.filter(({ owners }) => owners.every((owner) => namespaces.has(owner)))
