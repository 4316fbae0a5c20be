/** The queries of the demo. */

export interface Question {
  readonly text: string
  readonly query: string
  /** The tags to show; the last one says in which order, the largest first. */
  readonly columns: readonly string[]
}

const CITY = ['cities/name', 'cities/country', 'cities/population']

/** One for each part of the query language: ranges, or and except, words, lists, presence. */
export const questions: readonly Question[] = [
  {
    text: 'Which capitals south of the equator have more than a million inhabitants?',
    query: 'cities/feature = "PPLC" and cities/lat < 0 and cities/population > 1000000',
    columns: CITY,
  },
  {
    text: 'Which towns of 20,000 or more lie within a polar circle?',
    query: '(cities/lat > 66.56 or cities/lat < -66.56) and cities/population >= 20000',
    columns: CITY,
  },
  {
    text: 'Where, outside Britain and the United States, is there a York?',
    query: 'cities/name matches "york*" except (cities/country = "GB" or cities/country = "US")',
    columns: CITY,
  },
  {
    text: 'Which places does Finland list, too?',
    query: 'cities/also-listed-by contains "FI"',
    columns: CITY,
  },
  {
    text: 'Which capitals of countries and regions have no known population?',
    query: '(cities/feature = "PPLC" or cities/feature = "PPLA") except has cities/population',
    columns: CITY,
  },
]

/** Questions that no owner could answer alone: each tag is of somebody else. */
export const sharedQuestions: readonly Question[] = [
  {
    text: 'Which neighbours of Russia do not write in Cyrillic?',
    query: 'countries/borders contains "RU" except unicode/scripts contains "Cyrillic"',
    columns: ['countries/name', 'unicode/scripts', 'cities/places'],
  },
  {
    text: 'Where above 55° north did Alice like it?',
    query: 'alice/rating >= 8 and (cities/lat > 55 or countries/lat > 55)',
    columns: ['cities/name', 'countries/name', 'alice/rating'],
  },
]

/** A question about what one owner keeps for herself. */
export const privateQuestion: Question = {
  text: 'What did Alice note down about islands and ferries?',
  query: 'alice/note matches "ferry" or alice/note matches "boat" or alice/note matches "wind"',
  columns: ['cities/name', 'alice/note', 'alice/rating'],
}
