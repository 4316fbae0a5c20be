/** The data of the benchmark: a catalogue of books that is always the same, with a skew like that of real data. */
import { parsePrimitive, stringValue, type TagValue } from '../src/model/tag-value.ts'

/** This must change when the data for the same size changes. */
export const CATALOGUE = 'catalogue 2'

/** The user who owns the tags of the catalogue, and another user, who reads it. */
export const OWNER = { username: 'library', password: 'shelves and shelves' }
export const READER = { username: 'reader', password: 'page after page' }

/** The full size in values; at this size the counts in `TAGS` are exact. */
export const FULL_SIZE = 10_000_000

/** A tag of the catalogue. */
export interface CatalogueTag {
  readonly path: string
  /** Whether the service indexes its words. */
  readonly indexed: boolean
  /** The number of objects with it at the full size. */
  readonly count: number
  /** Whether that number is the same for every size; by default it is proportional to the size of the store. */
  readonly fixed?: boolean
  /** Its value on the book with this number. */
  value(book: number): TagValue
}

/** The number of objects in a store of this many values. At the full size, it is slightly above the limit of a query. */
const booksIn = (values: number): number => (values * 11) / 100

/** The about value of a book. */
export const aboutOf = (book: number): string => `book:${book}`

const BEGINNING_MS = Date.UTC(2025, 0, 1)

/** The 16 bytes of a book's id, a version 7 UUID that ascends with the number of the book. */
export function bookId(book: number): Buffer {
  const bytes = Buffer.allocUnsafe(16)
  bytes.writeUIntBE(BEGINNING_MS + book * 40, 0, 6)
  bytes.writeUInt32BE(hash(1, book), 8)
  bytes.writeUInt32BE(hash(2, book), 12)
  bytes.writeUInt16BE(0x7000 | (hash(3, book) & 0xfff), 6)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  return bytes
}

/** 32 pseudo-random bits, the same for the same two numbers. */
function hash(salt: number, number: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt + 0x51ed, 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return (bits ^ (bits >>> 15)) >>> 0
}

const share = (salt: number, number: number): number => hash(salt, number) / 2 ** 32

/** Common English words by frequency; words made of syllables follow them. */
const COMMON =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one you were her all she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people mr how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three'
const SYLLABLES = Array.from('bcdfglmnprstvz').flatMap((consonant) =>
  ['a', 'e', 'i', 'o', 'u', 'an', 'er'].map((end) => consonant + end),
)
const VOCABULARY = 20_000

/** The words of titles and notes, the most frequent first. */
const WORDS: readonly string[] = vocabulary()

function vocabulary(): string[] {
  const words = new Set(COMMON.split(' '))
  for (let i = 0; words.size < VOCABULARY; i++) {
    const syllables = 2 + (hash(4, i) % 3)
    const word = Array.from({ length: syllables }, (_, k) => SYLLABLES[hash(5 + k, i) % SYLLABLES.length])
    words.add(word.join(''))
  }
  return [...words]
}

/** Draws ranks from 0 to `size` by Zipf's law: half as often at twice the rank. */
function zipf(size: number): (share: number) => number {
  const sums = new Float64Array(size)
  for (let rank = 0, sum = 0; rank < size; rank++) sums[rank] = sum += 1 / (rank + 2.7)
  const total = sums[size - 1] ?? 1
  return (drawn) => {
    const wanted = drawn * total
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}

const wordRank = zipf(VOCABULARY)

function phrase(salt: number, book: number, least: number, most: number): string {
  const length = least + (hash(salt, book) % (most - least + 1))
  const words = Array.from({ length }, (_, k) => WORDS[wordRank(share(salt + 1 + k, book))])
  return words.join(' ')
}

const TOPICS = 2_000
const topicRank = zipf(TOPICS)
const AUTHORS = 40_000
const authorRank = zipf(AUTHORS)
const LANGUAGES = ['en', 'de', 'fr', 'es', 'zh', 'ru', 'ja', 'it', 'pt', 'nl', 'sv', 'pl', 'da', 'cs', 'fi']
const languageRank = zipf(LANGUAGES.length)

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The topic of this rank; the most frequent one has the rank 0. */
export const topic = (rank: number): string => WORDS[rank + 200] ?? ''

/** The author of this rank. */
export const author = (rank: number): string =>
  `${capital(WORDS[300 + (hash(40, rank) % 900)] ?? '')} ${capital(WORDS[1_500 + (hash(41, rank) % 15_000)] ?? '')}`

/** A word that occurs only in titles of 100 books, in stores of any size (most of these books have a title). */
export const RARE_WORD = 'quixotic'
const RARE_TITLES = 100

function title(book: number): string {
  const text = phrase(10, book, 3, 7)
  return capital(book % 97 === 0 && book / 97 < RARE_TITLES ? `${text} ${RARE_WORD}` : text)
}

const topicsOf = (book: number): string[] => [
  ...new Set(
    Array.from({ length: 1 + (hash(30, book) % 5) }, (_, k) => topic(topicRank(share(31 + k, book)))),
  ),
]

const NULL = parsePrimitive('null')
const int = (value: number): TagValue => ({ type: 'int', value: BigInt(value), json: String(value) })

/** Recent years are more frequent, because squares of random numbers are small. */
const year = (book: number): number => 2025 - Math.floor(share(50, book) ** 2 * 225)

function float(value: number): TagValue {
  const json = String(value)
  return { type: 'float', value, json: json.includes('.') ? json : `${json}.0` }
}

function day(book: number): string {
  const days = Math.floor(share(51, book) ** 2 * 3650)
  return new Date(Date.UTC(2025, 11, 31) - days * 86_400_000).toISOString().slice(0, 10)
}

const SIZES: readonly CatalogueTag[] = [
  { path: 'listed', indexed: false, count: 1_050_000, value: () => NULL },
  { path: 'title', indexed: true, count: 1_000_000, value: (book) => stringValue(title(book)) },
  { path: 'year', indexed: false, count: 1_000_000, value: (book) => int(year(book)) },
  {
    path: 'price',
    indexed: false,
    count: 1_000_000,
    value: (book) => float(Math.round(200 + 9_800 * share(52, book) ** 3) / 100),
  },
  {
    path: 'language',
    indexed: false,
    count: 1_000_000,
    value: (book) => stringValue(LANGUAGES[languageRank(share(53, book))] ?? ''),
  },
  {
    path: 'author',
    indexed: false,
    count: 900_000,
    value: (book) => stringValue(author(authorRank(share(54, book)))),
  },
  {
    path: 'rating',
    indexed: false,
    count: 700_000,
    value: (book) => int(1 + Math.floor(share(55, book) ** 0.5 * 10)),
  },
  {
    path: 'topics',
    indexed: true,
    count: 600_000,
    value: (book) => {
      const value = topicsOf(book)
      return { type: 'list-of-strings', value, json: JSON.stringify(value) }
    },
  },
  {
    path: 'pages',
    indexed: false,
    count: 500_000,
    value: (book) => int(20 + Math.floor(share(56, book) ** 2 * 1_200)),
  },
  {
    path: 'weight',
    indexed: false,
    count: 500_000,
    value: (book) => float(Math.round(share(57, book) * 3_000) / 1_000),
  },
  { path: 'note', indexed: true, count: 250_000, value: (book) => stringValue(phrase(60, book, 4, 16)) },
  { path: 'borrowed', indexed: false, count: 250_000, value: (book) => stringValue(day(book)) },
  {
    path: 'favourite',
    indexed: false,
    count: 100_000,
    value: () => ({ type: 'boolean', value: true, json: 'true' }),
  },
  { path: 'damaged', indexed: false, count: 10_000, value: () => NULL },
  { path: 'signed', indexed: false, count: 1_000, fixed: true, value: (book) => int(hash(71, book) % 1_000) },
  { path: 'stolen', indexed: false, count: 100, fixed: true, value: () => NULL },
  { path: 'unique', indexed: false, count: 10, fixed: true, value: () => NULL },
]

/** The path of a tag of the catalogue. */
export const tagPath = (name: string): string => `${OWNER.username}/${name}`

/** All tags, smallest last; `shelf` has as many values as the store still lacks. */
export function catalogueTags(values: number): CatalogueTag[] {
  const tags = SIZES.map((tag) => ({
    ...tag,
    path: tagPath(tag.path),
    count: tag.fixed === true ? tag.count : (tag.count * values) / FULL_SIZE,
  }))
  const missing = values - aboutCount(values) - tags.reduce((sum, { count }) => sum + count, 0)
  const shelf = { indexed: false, count: missing, value: (book: number) => int(hash(70, book) % 5_000) }
  return [...tags, { path: tagPath('shelf'), ...shelf }]
}

/** The number of books with an about value; they are the first ones. */
export const aboutCount = (values: number): number => values / 10

/** Coprime to the numbers of books (11 times a power of ten), so its multiples modulo these take every value once. */
const STEP = 7_368_787

/** The numbers of the books that have a tag, ascending, evenly spread, and exactly as many as there should be. */
export function* booksWith(tag: CatalogueTag, values: number): Generator<number> {
  const books = booksIn(values)
  const offset = hash(80, tag.path.length * 1_000 + tag.count) % books
  const step = STEP + 110 * (hash(81, tag.path.length * 1_000 + tag.count) % 1_000)
  for (let book = 0, place = offset; book < books; book++) {
    if (place < tag.count) yield book
    place = (place + step) % books
  }
}

/** A record of the comparison. Gloss stores the same data as one object with three values. */
export interface Fact {
  /** From 0 upwards, without gaps. */
  readonly number: number
  /** From 0 to 999. */
  readonly rating: number
  readonly title: string
  readonly topics: readonly string[]
}

/** The fact with this number, for the comparison with other services. */
export const factOf = (number: number): Fact => ({
  number,
  rating: hash(90, number) % 1_000,
  title: title(number),
  topics: topicsOf(number),
})
