/** Values while somebody edits them, without a browser. */
import { describe, expect, test } from '@jest/globals'
import { cellOfContent, isSame, type Content, type ValueType } from '../../console/src/edit/content.ts'
import { draftOf, outcomeOf, withBreaksOf, withType } from '../../console/src/edit/draft.ts'
import { meantBy } from '../../console/src/edit/mistake.ts'
import { cellText } from '../../common/values.ts'

const opaque = (contentType: string, text: string): Content => ({
  type: 'opaque',
  contentType,
  bytes: new TextEncoder().encode(text),
})

describe('a draft', () => {
  const primitives: readonly Content[] = [
    { type: 'null', json: 'null' },
    { type: 'boolean', json: 'false' },
    { type: 'int', json: '-9223372036854775808' },
    { type: 'float', json: '5.0' },
    { type: 'float', json: '1e+300' },
    { type: 'string', json: '"a\\r\\n\\u0000b"' },
    { type: 'string', json: '""' },
    { type: 'list-of-strings', json: '["","a\\nb",""]' },
    { type: 'list-of-strings', json: '[]' },
  ]
  test.each([...primitives, opaque('image/png', 'x')])(
    'of $type that is left alone is the same value',
    (content) => {
      const outcome = outcomeOf(draftOf(content))
      expect('content' in outcome && isSame(outcome.content, content)).toBe(true)
    },
  )

  const typed = (type: ValueType, text: string): string => {
    const outcome = outcomeOf({ ...draftOf(undefined), type, text })
    return 'fault' in outcome ? 'refused' : cellText(cellOfContent(outcome.content))
  }

  test.each([
    ['9223372036854775807', '9223372036854775807'],
    [' 007 ', '7'],
    ['-0', '0'],
    ['9223372036854775808', 'refused'],
    ['-9223372036854775809', 'refused'],
    ['5.0', 'refused'],
    ['1e3', 'refused'],
    ['', 'refused'],
  ])('reads the int %j as %s', (text, value) => {
    expect(typed('int', text)).toBe(value)
  })

  test.each([
    ['5', '5.0'],
    ['-0', '-0.0'],
    ['1e3', '1000.0'],
    ['123456789012345678901234567890', '1.2345678901234568e+29'],
    ['0.1', '0.1'],
    ['1e309', 'refused'],
    ['NaN', 'refused'],
    ['Infinity', 'refused'],
    ['0x10', 'refused'],
    ['true', 'refused'],
    ['', 'refused'],
  ])('reads the float %j as %s', (text, value) => {
    expect(typed('float', text)).toBe(value)
  })

  test('keeps what was typed when its type changes', () => {
    const five = { ...draftOf(undefined), type: 'float' as const, text: '5.0' }
    expect(outcomeOf(withType(five, 'int'))).toEqual({ content: { type: 'int', json: '5' } })
    const list = withType({ ...draftOf(undefined), text: 'a\nb' }, 'list-of-strings')
    expect(list.items).toEqual(['a', 'b'])
    expect(withType(list, 'string').text).toBe('a\nb')
    expect(withType(draftOf(opaque('text/plain', 'hello')), 'string').text).toBe('hello')
  })

  test('needs a file with a content type that a header can hold', () => {
    const file = { ...draftOf(opaque('image/png', 'x')) }
    expect(outcomeOf({ ...file, bytes: undefined })).toHaveProperty('fault')
    const wrong = ['', 'png', 'image/', 'image/png\n;a', 'image/ü', 'application/vnd.service.value+json;a=b']
    expect(wrong.filter((contentType) => 'content' in outcomeOf({ ...file, contentType }))).toEqual([])
    expect(outcomeOf({ ...file, contentType: ' text/plain; charset=utf-8 ' })).toMatchObject({
      content: { contentType: 'text/plain; charset=utf-8' },
    })
  })

  test('keeps line breaks that fields of browsers do not know', () => {
    expect(withBreaksOf('a\r\nb', 'a\nb\nc')).toBe('a\r\nb\r\nc')
    expect(withBreaksOf('a\nb', 'a\nb\nc')).toBe('a\nb\nc')
    expect(withBreaksOf('a\r\nb\nc', 'a\nb\nc')).toBe('a\nb\nc')
  })
})

test.each([
  ['application/json', '42', '42'],
  ['application/json; charset=utf-8', '5.0', '5.0'],
  ['text/json', '["a","b"]', '["a","b"]'],
  ['application/json', '9223372036854775808', undefined],
  ['application/json', '{"a":1}', undefined],
  ['application/json', 'hello', undefined],
  ['application/x-www-form-urlencoded', '9', '9'],
  ['application/x-www-form-urlencoded', '"Dune"', '"Dune"'],
  ['application/x-www-form-urlencoded', 'Dune & more', '"Dune & more"'],
  ['application/x-www-form-urlencoded', '[1,2]', undefined],
  ['text/plain', '9', undefined],
  ['application/octet-stream', '9', undefined],
])('%s with %j was meant as %s', (contentType, text, json) => {
  const meant = meantBy(opaque(contentType, text))
  expect(meant !== undefined && meant.type !== 'opaque' ? meant.json : undefined).toBe(json)
})

test('takes no bytes for a text that are none', () => {
  const bytes = new Uint8Array([0x22, 0xff, 0x22])
  expect(meantBy({ type: 'opaque', contentType: 'application/x-www-form-urlencoded', bytes })).toBeUndefined()
})
