/** What one person has to say about the same cities and countries; her notes are for herself. */
import { aboutCity, cities } from './cities.ts'
import { elementAbout, type Element } from './element.ts'

/** The person, and the namespace that holds her tags. */
export const OWNER = 'alice'

/** The tag that nobody else may read. */
export const PRIVATE = 'note'

/** What the tags are about. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  visited: 'Whether I was there',
  rating: 'How much I liked it, 1 to 10',
  [PRIVATE]: 'For myself',
}

/** A place: the about value of a country, or the name and the country of a city. Where she has not been, there is no rating. */
type Visit = readonly [place: string, rating: number | undefined, note: string]

const VISITS: readonly Visit[] = [
  ['Helsinki, FI', 9, 'The ferry at six in the morning. Ask Leena for the name of the sauna.'],
  ['Turku, FI', 7, 'Too short. Stay for two nights next time.'],
  ['Rovaniemi, FI', 6, 'Clouds each night, so no lights. Take the warmer coat.'],
  ['Tallinn, EE', 8, 'The bakery behind the town hall, before the ships arrive.'],
  ['Stockholm, SE', 8, 'Lost the blue scarf on the boat to Vaxholm.'],
  ['Reykjavík, IS', 9, 'Everything is dear, and worth it.'],
  ['Tromsø, NO', 10, 'Lights at last. Never tell Rovaniemi.'],
  ['York, GB', 7, 'Rain on the walls. The railway museum takes a day.'],
  ['Porto, PT', 9, 'Knees hurt from the stairs. Go back for the bookshop.'],
  ['Ljubljana, SI', 8, 'Could live here. Look at rents.'],
  ['Trieste, IT', 7, 'Coffee has names of its own here; ask for a nero.'],
  ['Istanbul, TR', 10, 'A week was not enough. Next time the Asian side.'],
  ['Tbilisi, GE', 9, 'The hosts refused the money. Send them the photographs.'],
  ['Yerevan, AM', 8, 'Ararat showed itself once.'],
  ['Nairobi, KE', 6, 'Ill for half of it, so this is not fair.'],
  ['Lisbon, PT', 7, 'Crowds. Better in February.'],
  ['Kyoto, JP', 9, 'The moss temple needs a letter weeks ahead.'],
  ['Tokyo, JP', 8, 'Got lost under Shinjuku station for an hour.'],
  ['Hiroshima, JP', 10, 'Quiet. Do not take photographs here again.'],
  ['Wellington, NZ', 8, 'The wind, the wind.'],
  ['Valparaíso, CL', 7, 'Watch the bag on the stairs.'],
  ['Montevideo, UY', 8, 'Mate with strangers on the rambla.'],
  ['country:FI', 9, 'Learn more than kiitos before the next time.'],
  ['country:JP', 9, 'The rail pass did not pay. Count before.'],
  ['country:GE', 10, 'Passport number for the visa is in the green folder.'],
  ['country:PT', 8, 'Ana has the spare key.'],
  ['country:IS', 8, 'The insurance covered gravel, not ash.'],
  ['country:KE', 6, 'Ask for the other vaccine.'],
  ['Samarkand, UZ', undefined, 'With Ana, when the book is done.'],
  ['Ushuaia, AR', undefined, 'Only if the ship takes bicycles.'],
  ['country:MN', undefined, 'Learn to ride first.'],
]

/** An element for each place. Throws a `RangeError` for a city that is not in the data set. */
export const noteElements = (): Element[] =>
  VISITS.map(([place, rating, note]) =>
    elementAbout(aboutPlace(place), OWNER, { visited: rating !== undefined, rating, [PRIVATE]: note }),
  )

function aboutPlace(place: string): string {
  const [name = '', country] = place.split(', ')
  if (country === undefined) return place
  const [city] = cities
    .filter((one) => one.name === name && one.country === country)
    .sort((one, other) => other.population - one.population)
  if (city === undefined) throw new RangeError(`there is no ${place}`)
  return aboutCity(city)
}
