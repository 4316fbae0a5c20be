/** The countries of the world as elements of PUT /values, and their flags, which are files. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Country } from 'world-countries'
import { elementAbout, float, type Element } from './element.ts'

export type { Country }

const fileOf = (path: string): Buffer =>
  readFileSync(fileURLToPath(import.meta.resolve(`world-countries/${path}`)))

/** Every country of the data set. */
export const countries = JSON.parse(fileOf('countries.json').toString()) as readonly Country[]

/** The user whose namespace holds the tags. */
export const OWNER = 'countries'

/** In which languages the names are kept, beside English and the country's own. */
const LANGUAGES = ['ara', 'deu', 'fin', 'fra', 'jpn', 'rus', 'spa', 'zho']

/** What the namespace and its tags are about. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '': 'The countries of the world: mledoze/countries, under the Open Database Licence 1.0',
  name: 'The name that is commonly used in English',
  official: 'The official name in English',
  native: 'The names in the languages of the country',
  names: 'The names in other languages, by their codes of ISO 639-3',
  capitals: 'The capital, or all of them',
  languages: 'The official languages, in English',
  currencies: 'Codes of the currencies, by ISO 4217',
  borders: 'Codes of the countries with which it has a border',
  region: 'The continent',
  subregion: 'The part of the continent',
  area: 'Square kilometres',
  landlocked: 'Whether it has no coast',
  independent: 'Whether it is a sovereign state. Where that is disputed, the value is null',
  lat: 'Degrees north of the equator, about in the middle',
  lon: 'Degrees east of Greenwich, about in the middle',
  flag: 'The flag, an SVG image',
}

const codes = new Map(countries.map(({ cca3, cca2 }) => [cca3, cca2]))

/** The element for a country. What is unknown gets no value. */
export function elementOf(country: Country): Element {
  const { name, translations, latlng } = country
  const names = LANGUAGES.map((code) => [`names/${code}`, translations[code]?.common] as const)
  return elementAbout(aboutCountry(country), OWNER, {
    name: name.common,
    official: name.official,
    native: [...new Set(Object.values(name.native).map(({ common }) => common))],
    ...Object.fromEntries(names),
    capitals: country.capital.filter((capital) => capital !== ''),
    languages: Object.values(country.languages),
    currencies: Object.keys(country.currencies),
    borders: country.borders.map((code) => codes.get(code) ?? code),
    region: country.region,
    subregion: country.subregion === '' ? undefined : country.subregion,
    area: country.area < 0 ? undefined : float(country.area),
    landlocked: country.landlocked,
    independent: country.independent,
    lat: float(latlng[0]),
    lon: float(latlng[1]),
  })
}

/** The about value of a country. */
export const aboutCountry = ({ cca2 }: Country): string => `country:${cca2}`

/** The flag of a country. */
export const flagOf = ({ cca3 }: Country): Buffer => fileOf(`data/${cca3.toLowerCase()}.svg`)

/** Scripts that stand for several, and those that Unicode and ISO 15924 name differently. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  Cans: ['Canadian Aboriginal'],
  Hans: ['Han'],
  Hant: ['Han'],
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Kore: ['Hangul'],
}
const scriptNames = new Intl.DisplayNames('en', { type: 'script' })

/** The scripts in which the languages of a country are written there, by their names in Unicode. */
export function scriptsOf({ languages, cca2 }: Country): string[] {
  const written = Object.keys(languages).flatMap((language) => {
    const { script = 'Zzzz' } = new Intl.Locale(`${language}-${cca2}`).maximize()
    return SCRIPTS[script] ?? [scriptNames.of(script) ?? script]
  })
  return [...new Set(written)].filter((name) => name !== 'Unknown Script').sort()
}
