/** The queries of the demo. */

export interface Question {
  readonly text: string
  readonly query: string
}

/** One for each part of the query language: ranges, or and except, words, lists, presence. */
export const questions: readonly Question[] = [
  {
    text: 'Which capitals south of the equator have more than a million inhabitants?',
    query: 'cities/feature = "PPLC" and cities/lat < 0 and cities/population > 1000000',
  },
  {
    text: 'Which towns of 20,000 or more lie within a polar circle?',
    query: '(cities/lat > 66.56 or cities/lat < -66.56) and cities/population >= 20000',
  },
  {
    text: 'Where, outside Britain and the United States, is there a York?',
    query: 'cities/name matches "york*" except (cities/country = "GB" or cities/country = "US")',
  },
  {
    text: 'Which places does Finland list, too?',
    query: 'cities/also-listed-by contains "FI"',
  },
  {
    text: 'Which capitals of countries and regions have no known population?',
    query: '(cities/feature = "PPLC" or cities/feature = "PPLA") except has cities/population',
  },
]
