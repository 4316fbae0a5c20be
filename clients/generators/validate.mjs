/**
 * Puts the values of values.json, each in an answer of GET /values, through the validators that were generated here.
 * Prints a line of JSON for each validator: what it did to a value, and how many values that are none it refused.
 */
import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { readFileSync } from 'node:fs'
import { parse } from 'valibot'

const { right, wrong } = JSON.parse(readFileSync(new URL('values.json', import.meta.url), 'utf8'))
const ID = '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4'
const PATH = 'alice/books/rating'

/** Each returns a function that parses an answer, or throws an error about it. */
const VALIDATORS = {
  ajv: async () => {
    const ajv = addFormats(new Ajv({ strict: false }))
    ajv.addSchema(JSON.parse(readFileSync(process.env.DOCUMENT, 'utf8')), 'gloss')
    const validate = ajv.compile({ $ref: 'gloss#/components/schemas/ValuesResult' })
    return (answer) => {
      if (!validate(answer)) throw new Error(ajv.errorsText(validate.errors))
      return answer
    }
  },
  'Hey API, zod': async () => zod((await import('./hey-api/zod.gen.ts')).zGetValuesResponse),
  'Hey API, valibot': async () => {
    const { vGetValuesResponse } = await import('./hey-api/valibot.gen.ts')
    return (answer) => parse(vGetValuesResponse, answer)
  },
  'kubb, zod': async () => zod((await import('./kubb/zod/getValuesSchema.ts')).getValues200Schema),
  'orval, zod': async () => zod((await import('./orval-zod/gloss.ts')).GetValuesResponse),
  'typed-openapi, zod': async () =>
    zod((await import('./typed-openapi.ts')).get_GetValues.responses.shape['200']),
}

const zod = (schema) => (answer) => schema.parse(answer)

for (const [validator, load] of Object.entries(VALIDATORS)) {
  console.log(JSON.stringify({ validator, ...(await tried(load)) }))
}

async function tried(load) {
  let validate
  try {
    validate = await load()
  } catch (error) {
    return { unchanged: 0, refused: 0, changes: [`it does not load: ${error.message}`] }
  }
  const results = right.map((value) => [shown(value), read(validate, value)])
  return {
    unchanged: results.filter(([value, seen]) => seen === value).length,
    refused: wrong.filter((value) => read(validate, value) === 'refused').length,
    changes: results.filter(([value, seen]) => seen !== value).map(([value, seen]) => `${value} → ${seen}`),
  }
}

/** The value as it comes out of the answer, as JSON; or `refused`, or `lost`. */
function read(validate, value) {
  const entry = { value, 'updated-at': '2026-03-14T15:09:26.535897Z' }
  let answer
  try {
    answer = validate({ results: { id: { [ID]: { [PATH]: entry } } } })
  } catch {
    return 'refused'
  }
  return shown(answer.results.id[ID][PATH]?.value) ?? 'lost'
}

/** A bigint is shown as the number that it is. */
function shown(value) {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? Number(inner) : inner))
}
