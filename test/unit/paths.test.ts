/** Paths, names and user names: which are valid, and how paths are taken apart. */
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { MAX_PATH_CODE_POINTS } from '../../src/model/name-lengths.ts'
import {
  findPath,
  findUsername,
  lineageOf,
  baseName,
  parentOf,
  readPath,
  readUsername,
  splitPath,
} from '../../src/model/paths.ts'
import { refused } from './refused.ts'

const NAMES = [
  'alice',
  'Z',
  'é',
  'e\u0301',
  '日本',
  '😀x'.slice(2),
  '٣',
  'a.b',
  'a:b',
  '_',
  '-',
  '..',
  '.',
  '𐐨',
  '०',
]
const NO_NAMES = [
  '',
  ' ',
  'a b',
  'a\u0000',
  'a%',
  'a?',
  'a#',
  '😀',
  'a\n',
  '\u200b',
  'a*',
  '"',
  '\ud800',
  'a\u00a0b',
]

const name = fc.oneof(fc.constantFrom(...NAMES), fc.stringMatching(/^[\w:.-]{1,12}$/))
const names = fc.array(name, { minLength: 1, maxLength: 8 })

describe('a path', () => {
  test('of valid names has its first component folded to lower case and the others unchanged', () => {
    fc.assert(
      fc.property(names, (parts) => {
        const expected = [parts[0]?.toLowerCase(), ...parts.slice(1)].join('/')
        expect(findPath(parts.join('/'), 1)).toBe(expected)
        expect(findPath(parts.join('/'), 2)).toBe(parts.length > 1 ? expected : undefined)
      }),
    )
  })

  test('with an invalid name is invalid', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(...NO_NAMES), fc.nat(), (parts, bad, at) => {
        const broken = parts.toSpliced(at % (parts.length + 1), 0, bad).join('/')
        expect(findPath(broken, 1)).toBeUndefined()
        expect(refused(() => readPath(broken, 1))).toEqual(['TInvalidPath', 400, { path: broken }])
      }),
    )
  })

  test.each(['a', '𐐨', 'é'])('is at most 233 code points of %s long', (character) => {
    const longest = `a/${character.repeat(MAX_PATH_CODE_POINTS - 2)}`
    expect(MAX_PATH_CODE_POINTS).toBe(233)
    expect(findPath(longest, 2)).toBe(longest)
    expect(findPath(`${longest}a`, 2)).toBeUndefined()
  })

  test('is made up of its parent and its name', () => {
    fc.assert(
      fc.property(names, (parts) => {
        const path = readPath(parts.join('/'), 1)
        const parent = parentOf(path)
        expect(parent === undefined ? baseName(path) : `${parent}/${baseName(path)}`).toBe(path)
        expect(parent === undefined).toBe(parts.length === 1)
        expect(splitPath(path)).toEqual({ parent: parent ?? '', name: baseName(path) })
      }),
    )
  })

  test('has a lineage of itself and its ancestors, nearest first', () => {
    fc.assert(
      fc.property(names, (parts) => {
        const path = readPath(parts.join('/'), 1)
        const expected: string[] = []
        for (let at: typeof path | undefined = path; at !== undefined; at = parentOf(at)) expected.push(at)
        expect(lineageOf(parts.join('/'))).toEqual(expected)
      }),
    )
    expect(lineageOf('alice/a b/c')).toEqual(['alice'])
    expect(lineageOf('/alice')).toEqual([])
    expect(lineageOf('a/'.repeat(1_000_000))).toEqual(lineageOf('a/'.repeat(300)))
    expect(lineageOf('a/'.repeat(300))).toHaveLength(117)
    expect(lineageOf(`𐐨/${'𐐨'.repeat(232)}`)).toEqual(['𐐨'])
    expect(lineageOf(`𐐨/${'𐐨'.repeat(231)}/a`)).toEqual([`𐐨/${'𐐨'.repeat(231)}`, '𐐨'])
  })
})

describe('a user name', () => {
  test.each([
    ['alice', 'alice'],
    ['ALICE', 'alice'],
    ['ÉMILE', 'émile'],
    ['a.b-c_d:e', 'a.b-c_d:e'],
    ['x'.repeat(128), 'x'.repeat(128)],
    ['𐐀'.repeat(128), '𐐨'.repeat(128)],
  ])('written %s is %s', (raw, username) => {
    expect([findUsername(raw), readUsername(raw)]).toEqual([username, username])
  })

  test.each(['a\ufe0f', '...', '.a', '..a', '\u3164a'])('may hold what cannot be one: %j', (raw) => {
    expect([findUsername(raw), readUsername(raw)]).toEqual([raw, raw])
  })

  const invisible = ['\u3164', '\ufe0f', '\u034f', '\u115f\u1160', '\uffa0', '\u3164'.repeat(129)]
  test.each([...NO_NAMES, 'a/b', 'alice/', '.', '..', ...invisible])('cannot be %j', (raw) => {
    expect(findUsername(raw)).toBeUndefined()
    expect(refused(() => readUsername(raw))).toEqual(['TInvalidUsername', 400, { name: raw }])
  })

  test('of 129 code points is too long', () => {
    const raw = '𐐨'.repeat(129)
    expect(findUsername(raw)).toBeUndefined()
    expect(refused(() => readUsername(raw))).toEqual(['TUsernameTooLong', 400, { name: raw }])
  })
})
