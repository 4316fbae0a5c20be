/** The faults of `npm run mutants`: which there are, which are tried, and what is said of them. */
import { expect, test } from '@jest/globals'
import { faultsFor, withFault, type Fault } from '../../scripts/mutants/operators.ts'
import { describeResults, idOf, isDecided, type Outcome, type Result } from '../../scripts/mutants/results.ts'
import { sampleOf } from '../../scripts/mutants/sample.ts'
import { testsFor } from '../../scripts/mutants/nearest.ts'

/** A piece of source with each of its faults in it, in their order. */
const faulty = (source: string): string[] =>
  faultsFor('src/a.ts', source).map((fault) => withFault(source, fault))

test.each([
  ['a && b', ['a || b']],
  ['a < b', ['a <= b']],
  ['a >= b', ['a > b']],
  ['a === b', ['a !== b']],
  ['a + b', ['a - b']],
  ['if (a) b', ['if (!(a)) b']],
  ['while (a) b', ['while (!(a)) b']],
  ['x = a ? b : c', ['x = !(a) ? b : c']],
  ['x = await a', ['x = a']],
  ['f()', [';']],
  ['await f()', [';', 'f()']],
  ['function f() { return a }', ['function f() { ; }']],
  ['for (;;) continue', ['for (;;) break']],
  ['x = f(a, b, c)', ['x = f(b, a, c)']],
  ['x = f(a, a)', []],
  ['x = f(a, ...b)', []],
  ['x = 5', ['x = (5 + 1)', 'x = (5 - 1)']],
  ["x = 'a'", ["x = ''"]],
  ["x = ''", []],
  ['x = [a]', ['x = []']],
  ['x = []', []],
  ['x = true', ['x = false']],
  ["import { a } from './b.ts'", []],
  ["let x: 'a' | 5", []],
  ["x = { 'a': b }", []],
])('%s', (source, expected) => {
  expect(faulty(source)).toEqual(expected)
})

test('faults name their line', () => {
  expect(faultsFor('src/a.ts', '\n\n  f()').map(({ file, line, kind }) => [file, line, kind])).toEqual([
    ['src/a.ts', 3, 'removed call'],
  ])
})

const NUMBERS = ['src/a.ts', 'src/b.ts', 'src/c.ts'].map((file) => faultsFor(file, 'x = [1, 2, 3]'))

test('a sample takes one fault of each file before a second, and is the same for the same seed', () => {
  const sample = sampleOf(NUMBERS, 'seed', 7)
  expect(sample).toHaveLength(7)
  expect([0, 3].map((at) => new Set(sample.slice(at, at + 3).map(({ file }) => file)).size)).toEqual([3, 3])
  expect(new Set(sample).size).toBe(7)
  expect(sampleOf(NUMBERS, 'seed', 7)).toEqual(sample)
  expect(sampleOf(NUMBERS, 'other seed', 7)).not.toEqual(sample)
  expect(sampleOf(NUMBERS, 'seed', 999)).toHaveLength(NUMBERS.flat().length)
})

test('a fault has another id once its file has changed', () => {
  const [fault] = NUMBERS[0] as [Fault]
  expect(idOf(fault, 'x')).toBe(idOf(fault, 'x'))
  expect(idOf(fault, 'x')).not.toBe(idOf(fault, 'y'))
})

test('test files that import a module come first, then those that reach it, then others by their names', () => {
  const importers = new Map([
    ['src/model/words.ts', ['test/data/folding.test.ts', 'src/terms.ts']],
    ['src/terms.ts', ['test/data/zeta.test.ts', 'test/data/words.test.ts']],
  ])
  const tests = ['alpha', 'zeta', 'words', 'folding'].map((name) => `test/data/${name}.test.ts`)
  expect(testsFor('src/model/words.ts', tests, importers)).toEqual(
    ['folding', 'words', 'zeta', 'alpha'].map((name) => `test/data/${name}.test.ts`),
  )
})

const result = (file: string, outcome: Outcome): Result => {
  return { id: file, file, line: 7, kind: 'removed call', change: 'f() → ;', outcome, minutes: 5, by: [] }
}

test.each<[outcome: Outcome, given: number, decided: boolean]>([
  ['killed', 60, true],
  ['survived', 60, true],
  ['undecided', 5, true],
  ['undecided', 6, false],
])('what was %s in 5 minutes is, in %i minutes, decided: %s', (outcome, given, decided) => {
  expect(isDecided(result('src/a.ts', outcome), given)).toBe(decided)
})

test('the report counts by area what was killed of what the compiler accepted, and names the rest', () => {
  const results = [
    result('src/http/a.ts', 'killed'),
    result('src/http/b.ts', 'survived'),
    result('src/http/c.ts', 'refused'),
    result('command/d.ts', 'undecided'),
  ]
  expect([...describeResults(results)].map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'command 0 / 1',
    'src/http 1 / 2',
    'killed / tried 1 / 3',
    'survived: src/http/b.ts:7 removed call: f() → ;',
    'undecided: command/d.ts:7 removed call: f() → ;',
  ])
})
