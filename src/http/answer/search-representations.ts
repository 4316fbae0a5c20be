/** The answers of operations under `/search`, as JSON that `JSON.stringify` cannot produce: numbers stay exact. */
import type { components } from '../../../generated/openapi.d.ts'
import type { CheckedNode } from '../../data/operations/check-query.ts'
import type { NumberBin } from '../../data/operations/facet-bins.ts'
import type { CountedValue } from '../../data/operations/facet-values.ts'
import type { Facet, Facets, NumberSpread } from '../../data/operations/facets.ts'
import type { ValueSuggestion } from '../../data/operations/frequent-values.ts'
import type { Found } from '../../data/operations/suggestions.ts'
import type { ServiceError } from '../../model/errors.ts'
import { jsonText, listText, mapText, objectText, type JsonText } from './json-text.ts'
import { inMemory, type RawJson } from './raw-json.ts'

type Schemas = components['schemas']

/** Values to complete a text to, in the given order. */
export const valueSuggestions = ({
  suggestions,
  complete,
}: Found<ValueSuggestion>): RawJson<Schemas['Suggestions']> =>
  inMemory(
    objectText<Schemas['Suggestions']>({
      suggestions: listText<Schemas['Suggestion']>(suggestions.map(valueSuggestion)),
      complete: jsonText(complete),
    }),
  )

const valueSuggestion = ({ json, count, exact }: ValueSuggestion): JsonText<Schemas['ValueSuggestion']> =>
  objectText<Schemas['ValueSuggestion']>({
    kind: jsonText('value'),
    value: json.toString() as JsonText<Schemas['PrimitiveValue']>,
    count: jsonText(count),
    exact: jsonText(exact),
  })

/** A text that is a query, with its nodes in the given order. */
export const checkedQuery = (nodes: readonly CheckedNode[]): RawJson<Schemas['CheckedQuery']> =>
  inMemory(
    objectText<Schemas['CheckedQuery']>({
      valid: jsonText(nodes.every(({ error }) => error === undefined)),
      nodes: listText<Schemas['CheckedNode']>(nodes.map(checkedNode)),
    }),
  )

function checkedNode(node: CheckedNode): JsonText<Schemas['CheckedNode']> {
  const { start, end, counted } = node
  const part = {
    start: jsonText(start),
    end: jsonText(end),
    ...(counted && { count: jsonText(counted.count), exact: jsonText(counted.exact) }),
  }
  return node.kind === 'combination'
    ? objectText<Schemas['CheckedCombination']>({
        kind: jsonText(node.kind),
        operator: jsonText(node.operator),
        left: jsonText(node.left),
        right: jsonText(node.right),
        ...part,
      })
    : objectText<Schemas['CheckedCondition']>({
        kind: jsonText(node.kind),
        operator: jsonText(node.operator),
        path: jsonText(node.path),
        ...(node.operand !== undefined && { operand: node.operand as JsonText<Schemas['PrimitiveValue']> }),
        ...part,
        ...(node.error && { error: jsonText(queryFault(node.error)) }),
      })
}

const queryFault = ({ errorClass, sentence, facts: { path } }: ServiceError): Schemas['QueryFault'] => ({
  class: errorClass,
  message: sentence,
  ...(path !== undefined && { path }),
})

/** The values that tags have on the objects that a query matches. */
export const facetList = ({ count, facets }: Facets): RawJson<Schemas['Facets']> =>
  inMemory(
    objectText<Schemas['Facets']>({
      count: jsonText(count),
      facets: mapText(facets.map((facet) => [facet.path, facetText(facet)])),
    }),
  )

function facetText({ objects, types, top, items, numbers }: Facet): JsonText<Schemas['Facet']> {
  return objectText<Schemas['Facet']>({
    objects: jsonText(objects),
    types: jsonText(Object.fromEntries(types)),
    top: listText(top.map(countedText)),
    ...(items && { items: listText(items.map(countedText)) }),
    ...(numbers && { numbers: spreadText(numbers) }),
  })
}

function countedText(counted: CountedValue): JsonText<Schemas['CountedValue']> {
  const count = jsonText(counted.count)
  return 'json' in counted
    ? objectText<Schemas['CountedWholeValue']>({
        value: counted.json as JsonText<Schemas['PrimitiveValue']>,
        count,
      })
    : objectText<Schemas['CountedLongText']>({ beginning: jsonText(counted.beginning), count })
}

const spreadText = ({ smallest, largest, bins }: NumberSpread): JsonText<Schemas['NumberSpread']> =>
  objectText<Schemas['NumberSpread']>({
    smallest: smallest as JsonText<number>,
    largest: largest as JsonText<number>,
    ...(bins && { bins: listText(bins.map(binText)) }),
  })

const binText = ({ from, to, count }: NumberBin): JsonText<Schemas['NumberBin']> =>
  objectText<Schemas['NumberBin']>({
    from: from as JsonText<number>,
    to: to as JsonText<number>,
    count: jsonText(count),
  })
