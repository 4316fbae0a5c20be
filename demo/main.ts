/**
 * Loads real data sets into a running server over HTTP, each as its own user: cities, countries with their flags, letters, and
 * what a person noted down about the same objects. Then asks about them (`npm run demo`).
 */
import { argumentsOf, option, text, wholeNumber } from '../scripts/usage.ts'
import { ask, askPrivately } from './ask.ts'
import * as characters from './characters.ts'
import * as cities from './cities.ts'
import { ServerError, type Client } from './client.ts'
import * as countries from './countries.ts'
import { describe, load, put } from './load.ts'
import * as notes from './notes.ts'
import { questions, sharedQuestions } from './questions.ts'
import { openRegistry, signUp, signUpPerson, type Person, type Registry } from './users.ts'

/** How many cities fit into the 2 MiB of JSON that a service takes in a request. */
const MOST_CITIES = 5_000
/** Each is a request of its own. */
const FLAGS_AT_ONCE = 5
const { url, batch } = argumentsOf({
  name: 'npm run demo --',
  does: `Loads cities, countries with their flags, letters and the notes of a person into a running service, and asks about them.
ADMIN_PASSWORD is the password of its superuser, DEMO_PASSWORD that of the person.`,
  options: {
    url: option(text('URL'), 'the service', 'http://127.0.0.1:8080'),
    batch: option(wholeNumber(1, MOST_CITIES), `cities in a request, up to ${MOST_CITIES}`, 1000),
  },
})

try {
  const registry = openRegistry(url, process.env)
  const client = await loadCities(registry, batch)
  await loadCountries(registry)
  await loadLetters(registry, batch)
  const person = await loadNotes(registry)
  for (const question of [...questions, ...sharedQuestions]) await ask(client, question)
  await askPrivately(person.client, client)
  console.log(`\n${invitation(person)}`)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

/** Returns the client of their owner. */
async function loadCities(registry: Registry, atOnce: number): Promise<Client> {
  const client = await signUp(registry, cities.OWNER)
  await load({
    what: 'cities',
    items: cities.cities,
    atOnce,
    send: (some) => put(client, some.map(cities.elementOf)),
  })
  await put(client, cities.countsOfCountries())
  await describe(client, cities.OWNER, cities.DESCRIPTIONS)
  return client
}

async function loadCountries(registry: Registry): Promise<void> {
  const client = await signUp(registry, countries.OWNER)
  await put(client, countries.countries.map(countries.elementOf))
  await load({
    what: 'flags',
    items: countries.countries,
    atOnce: FLAGS_AT_ONCE,
    send: (some) => Promise.all(some.map((country) => putFlag(client, country))),
  })
  await describe(client, countries.OWNER, countries.DESCRIPTIONS)
}

function putFlag(client: Client, country: countries.Country): Promise<void> {
  const flag = { type: 'image/svg+xml', body: countries.flagOf(country) }
  return client.putFile(countries.aboutCountry(country), `${countries.OWNER}/flag`, flag)
}

async function loadLetters(registry: Registry, atOnce: number): Promise<void> {
  const client = await signUp(registry, characters.OWNER)
  const items = await characters.letterElements()
  await load({ what: 'letters', items, atOnce, send: (some) => put(client, some) })
  await describe(client, characters.OWNER, characters.DESCRIPTIONS)
}

/** What is private is closed before there is anything to read. */
async function loadNotes(registry: Registry): Promise<Person> {
  const person = await signUpPerson(registry, notes.OWNER)
  const { client } = person
  const tag = { name: notes.PRIVATE, description: '', indexed: true }
  try {
    await client.request('POST', `/tags/${notes.OWNER}`, tag)
  } catch (error) {
    if (!(error instanceof ServerError) || error.errorClass !== 'TTagAlreadyExists') throw error
  }
  const path = `/permissions/tag-values/${notes.OWNER}/${notes.PRIVATE}?action=read`
  await client.request('PUT', path, { policy: 'closed', exceptions: [notes.OWNER] })
  await put(client, notes.noteElements())
  await describe(client, notes.OWNER, notes.DESCRIPTIONS)
  return person
}

/** Where to look, and as whom. */
function invitation({ password }: Person): string {
  const place = `Look around at ${url.replace(/\/+$/, '')}/console/`
  return password === undefined
    ? `${place}, and sign in as ${notes.OWNER} if you know her password. DEMO_PASSWORD would set it.`
    : `${place}, and sign in as ${notes.OWNER} with the password ${password} to see her notes.`
}
