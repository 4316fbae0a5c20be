/** Pages made from hostile contracts: no text in a contract becomes markup. */
import { expect, test } from '@jest/globals'
import { createDocuments, type Contracts } from '../../src/documents/documents.ts'
import { readContract } from '../../src/http/contract/contract.ts'

const contracts: Contracts = {
  current: readContract(),
  kept: () => {
    throw new Error('none is kept')
  },
}

const HOSTILE = `</script></textarea><img src=x onerror=alert(1)> "><b>`

/** A copy of a document with hostile markup added to every text written by people. */
function hostile(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    const prose = ['summary', 'description', 'example', 'title', 'version', 'format', 'default'].includes(key)
    return prose ? `${value} ${HOSTILE}` : value
  }
  if (Array.isArray(value))
    return value.map((item) => hostile(item, key === 'examples' || key === 'enum' ? 'example' : ''))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, hostile(held, name)]))
}

test.each(['docs', 'docs/try'] as const)('%s shows markup in the contract as text', (name) => {
  const documents = createDocuments({ ...contracts, current: hostile(readContract()) as object })
  const text = documents(name, 'http://h').content.toString()
  expect(text.match(/&lt;img src=x onerror=alert\(1\)&gt;/g)?.length).toBeGreaterThan(100)
  expect(text).not.toContain('<img')
  expect(text).not.toContain('<b>')
  expect(text.match(/<script\b[^>]*>/g) ?? []).toEqual([
    `<script type="module" src="/docs/${name === 'docs' ? 'reference' : 'try'}.js">`,
  ])
})

test('documents are kept with their compressed forms, but not for every address', async () => {
  const documents = createDocuments(contracts)
  const first = documents('docs', 'http://h')
  expect(documents('docs', 'http://h')).toBe(first)
  expect(await first.in('gzip')).toBe(await first.in('gzip'))
  for (let i = 0; i < 24; i += 1) documents('docs', `http://h${String(i)}`)
  expect(documents('docs', 'http://h')).not.toBe(first)
})
