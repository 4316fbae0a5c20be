/** What the build leaves out of libraries that the console uses in part. */
import { expect, test } from '@jest/globals'
import { moduleOf } from '../../console/unused.ts'

const LIBRARY = `/* A library */
(function (root, factory) {
  if (typeof module === 'object') module.exports = factory()
  else root.library = factory()
})(this, function () {
  var other = {}
  function Parser() {}
  Parser.prototype.parse = function () { this.seen = 1; return 'parsed' }
  Parser.prototype.report = function () { return 'reported' }
  Parser.prototype.report.kind = 'kind'
  if (typeof other === 'object') other.Stream = Parser
  return { Parser: Parser, other: other, states: Parser }
})`
const PARTS = ['Parser.prototype.report', 'other.Stream', 'states: Parser']

interface Library {
  readonly Parser: new () => { parse: () => string; report?: () => string }
  readonly other: object
  readonly states?: unknown
}

async function imported(code: string): Promise<Library> {
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: Library }
  return module.default
}

test('what is named is left out, with what is assigned to parts of it, and all else works', async () => {
  const { Parser, other, states } = await imported(moduleOf(LIBRARY, PARTS))
  expect(new Parser().parse()).toBe('parsed')
  expect(new Parser().report).toBeUndefined()
  expect(other).toEqual({})
  expect(states).toBeUndefined()
  const whole = await imported(moduleOf(LIBRARY, []))
  expect(new whole.Parser().report?.()).toBe('reported')
  expect(whole.other).toEqual({ Stream: whole.Parser })
})

test('a library that has no such part any more stops the build', () => {
  expect(() => moduleOf(LIBRARY, [...PARTS, 'Parser.prototype.save'])).toThrow(
    'there is no Parser.prototype.save',
  )
})

test('so does one that is of another shape', () => {
  expect(() => moduleOf('export const parse = () => 1', [])).toThrow('what makes its exports is no function')
})
