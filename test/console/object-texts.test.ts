/** What objects show of stored bytes and texts, without a browser. */
import { expect, test } from '@jest/globals'
import { fileName, hexOf, isAddress, previewKind, readable, textIn } from '../../console/src/object/texts.ts'
import { ago, exactTime } from '../../console/src/parts/ago.ts'
import { askedBy, paramsOf } from '../../console/src/recent/tabs.ts'

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

test.each([
  ['image/png', 'image'],
  ['image/svg+xml; charset=utf-8', 'image'],
  ['image/tiff', 'bytes'],
  ['IMAGE/PNG', 'image'],
  ['text/html', 'text'],
  ['application/xhtml+xml', 'text'],
  ['application/json', 'json'],
  ['application/ld+json', 'json'],
  ['application/octet-stream', 'bytes'],
  ['image/png, text/html', 'bytes'],
])('shows %s as %s', (contentType, kind) => {
  expect(previewKind(contentType)).toBe(kind)
})

test('shows JSON with indents and to the digit, and other texts as they are', () => {
  const json = '{"a":[9223372036854775807,5.0,1e2]}'
  expect(textIn(bytes(json), 'application/json')).toBe(
    '{\n  "a": [\n    9223372036854775807,\n    5.0,\n    1e2\n  ]\n}',
  )
  expect(textIn(bytes('{"a":'), 'application/json')).toBe('{"a":')
  expect(textIn(new Uint8Array([0xe9]), 'text/plain; charset="iso-8859-1"')).toBe('é')
  expect(textIn(new Uint8Array([0xe9]), 'text/plain')).toBeUndefined()
  expect(textIn(bytes('a'), 'text/plain; charset=no-such')).toBeUndefined()
})

test('keeps lines and makes visible what would turn a text around', () => {
  expect(readable('a\n\tb\r\nc\u202ed\u0000')).toBe('a\n\tb\r\nc\\u202ed\\u0000')
})

test('shows bytes in hexadecimal', () => {
  expect(hexOf(bytes('GIF89a\u0001 and more text'))).toBe(
    '0000  47 49 46 38 39 61 01 20 61 6e 64 20 6d 6f 72 65  GIF89a. and more\n' +
      '0010  20 74 65 78 74                                    text',
  )
})

test('knows addresses of pages from what looks like one', () => {
  expect(['https://example.org/a', 'HTTP://example.org'].every(isAddress)).toBe(true)
  expect(['javascript:alert(1)', 'https://', 'see https://example.org', 'book:Dune'].some(isAddress)).toBe(
    false,
  )
})

test('names files by tag and content type', () => {
  expect(fileName('alice/cover', 'image/jpeg')).toBe('cover.jpg')
  expect(fileName('alice/cover.png', 'image/png')).toBe('cover.png')
  expect(fileName('alice/data', 'application/x-something-odd')).toBe('data.bin')
})

test('says how long ago something was', () => {
  const now = Date.parse('2026-03-14T15:09:26Z')
  const said = (at: string): string => ago(Date.parse(at), now)
  expect(said('2026-03-14T15:09:30Z')).toBe('just now')
  expect(said('2026-03-14T15:08:25Z')).toBe('1 minute ago')
  expect(said('2026-03-13T12:00:00Z')).toBe('yesterday')
  expect(said('2023-03-01T12:00:00Z')).toBe('3 years ago')
  expect(exactTime('2026-03-14T15:09:26.535897Z')).toBe('2026-03-14 15:09:26.535897 UTC')
})

test('reads what the URL of recent changes asks for, and writes it', () => {
  const asked = (search: string): unknown => askedBy(new URLSearchParams(search)).asked
  expect(asked('')).toMatchObject({
    show: 'users',
    query: expect.stringContaining('has service/users/username'),
  })
  expect(asked('show=user&user=alice')).toEqual({ show: 'user', user: 'alice' })
  expect(asked('show=user')).toBeUndefined()
  expect(asked('show=objects&query=has+alice/note')).toEqual({ show: 'objects', query: 'has alice/note' })
  const id = '019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4'
  expect(paramsOf({ show: 'object' }, id)).toEqual({ show: 'object', id })
  expect(asked(`show=object&id=${id}`)).toEqual({ show: 'object', id })
  expect(paramsOf({ show: 'object' }, 'book:Dune')).toEqual({ show: 'object', about: 'book:Dune' })
  expect(asked('show=object&about=book:Dune')).toEqual({ show: 'object', about: 'book:Dune' })
})
