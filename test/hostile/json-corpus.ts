/** JSON texts: valid, invalid and debatable ones, and ways to break any of them. */

const repeat = (text: string, times: number): string => text.repeat(times)
const nested = (open: string, core: string, close: string, depth: number): string =>
  repeat(open, depth) + core + repeat(close, depth)

const NUMBERS = [
  '0', '-0', '1', '-1', '5', '5.0', '5.', '.5', '+5', '-.5', '01', '-01', '00', '0x10', '0b1', '0o7', '1_000', '1,5', '1e5', '1E5', '1e+5',
  '1E-5', '1e', '1e+', 'e5', '1.5e', '1.e5', '1.0e05', '0e0', '-0.0', '-0e0', '0.1', '0.30000000000000004', '1e400', '-1e400', '1E-400',
  '-1E-400', '5e-324', '2e-324', '1.7976931348623157e308', '1.7976931348623159e308', '9007199254740991', '9007199254740993', '2147483648',
  '-2147483649', '4294967296', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809',
  '18446744073709551616', '123456789012345678901234567890', '-123456789012345678901234567890', '9223372036854775807.0', '1e18', '1e19', '1e21',
  '100000000000000000000.0', '0.000001', '0.0000001', '1.0', '10.50', '1.10e1', 'NaN', '-NaN', 'Infinity', '-Infinity', 'inf', '--1', '1-', '- 1', '-',
  '\uff11', '\u0661', '1\u0000', `1${repeat('0', 400)}`, `0.${repeat('1', 400)}`, `${repeat('9', 400)}.5`, '1f', '1n', '0.', '-0.', '1 2',
] // prettier-ignore

const STRINGS = [
  '""', '"a"', '"\\u0000"', '"\\u0041"', '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\a"', '"\\x41"', '"\\0"', '"\\u"', '"\\u12"', '"\\u123G"', '"\\U0041"',
  '"\\ud83d\\ude00"', '"\\ud800"', '"\\udc00"', '"\\ude00\\ud83d"', '"\\ud800\\ud800\\udc00"', '"\\ud83d x"', '"\\uDBFF\\uDFFF"', '"\\uFFFE\\uFFFF"',
  '"\\uFEFF"', '"\ufeff"', '"\u2028\u2029"', '"\u007f\u0080\u009f"', '"\n"', '"\t"', '"\r"', '"\0"', '"\u001f"', '"\ud83d\ude00"', '"e\u0301"', '"\u00e9"', '"\u202e"',
  '"\u{10ffff}"', "'a'", '"a', 'a"', '"a"b"', '"a" "b"', '`a`', '"\\', '"\\"', '" "', '"5"', '"null"', '"__proto__"', '"</script>"', '"%00"', `"${repeat('a', 70_000)}"`,
  `"${repeat('\\u00e9', 3000)}"`, `"${repeat('\ud83d\ude00', 300)}"`, '"a  "', '"\\u0020"', '"\\\ud83d\ude00"',
] // prettier-ignore

const STRUCTURES = [
  '', ' ', '\n', 'null', 'true', 'false', 'Null', 'TRUE', 'nul', 'nulll', 'undefined', 'None', ' null ', '\tnull\r\n', '\u00a0null', '\u000bnull', 'null\f',
  'null,', 'null null', 'null//', '/*c*/null', 'null#', '[]', '[ ]', '[', ']', '[[]]', '[,]', '["a",]', '[,"a"]', '["a",,"b"]', '["a" "b"]', '["a";"b"]', '["a"', '["a"]]',
  '["a","a",""]', '["a",5]', '["a",null]', '[null]', '[1,2]', '[["a"]]', '[{}]', '["\\u0000","\\ud83d\\ude00"]', '["\\ud800"]', '{', '}', '{}', '{ }', '{"a"}', '{"a":}', '{:1}', '{a:1}', "{'a':1}",
  '{"a":1,}', '{,"a":1}', '{"a":1 "b":2}', '{"a":1,"a":2}', '{"a":1}}', '{"a":1', '{"__proto__":1}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"x":1}}}', '{"":1}', '{"\\ud800":1}',
  '{"value":1}', '{"toString":"x"}', '[1}', '{1]', '{"a":1]', '\0', 'null\0', '\0null', '\ufeffnull', '\ufeff', '<a/>', '!', '*', '[*]', '"a":1', '1:2', '@', '#',
  nested('[', '', ']', 2), nested('[', '', ']', 99), nested('[', '', ']', 100), nested('[', '', ']', 101), nested('[', '', ']', 5000), repeat('[', 100_000),
  repeat('{"a":', 100_000), nested('{"a":', '1', '}', 99), nested('{"a":', '1', '}', 101), nested('[{"a":', '1', '}]', 60), repeat('[', 200), `"${repeat('[', 300)}"`,
  `["${repeat('{', 300)}\\"["]`, `[${repeat('"a",', 2000)}"b"]`, `[${repeat('1,', 2000)}1]`,
] // prettier-ignore

/** Complete texts. */
export const TEXTS: readonly string[] = [...new Set([...NUMBERS, ...STRINGS, ...STRUCTURES])]

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)))

/** Octets that are not UTF-8, for use in a string. */
const BROKEN: readonly number[][] = [
  [0x80], [0xbf], [0xc0, 0xaf], [0xc1, 0x81], [0xc3], [0xc3, 0x28], [0xe0, 0x80, 0xaf], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80],
  [0xf0, 0x80, 0x80, 0xaf], [0xf0, 0x9f, 0x98], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfe], [0xff], [0xff, 0xfe], [0xc0, 0x80],
] // prettier-ignore

/** A whole body in encodings other than UTF-8. */
export function encodingsOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le')
  return [
    utf16,
    Buffer.from(utf16).swap16(),
    bytes([0xff, 0xfe], text),
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
    bytes([0xef, 0xbb, 0xbf], text),
    bytes(text, [0xef, 0xbb, 0xbf]),
    bytes('"\xe9"'.slice(0, 1), [0xe9], '"'),
    ...BROKEN.map((broken) => bytes('"a', broken, 'b"')),
    ...BROKEN.map((broken) => bytes('["', broken, '"]')),
  ]
}

/** Random numbers from a seed, the same in every run. */
export function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const INSERTED = [
  '"',
  '\\',
  ',',
  ':',
  '[',
  ']',
  '{',
  '}',
  '0',
  '.',
  'e',
  '-',
  '+',
  ' ',
  '\n',
  '\0',
  '\ufeff',
  '\ud83d\ude00',
  '/',
  'null',
  '\\u',
  '\\ud800',
  '1e999',
]

/** A text with a few octets removed, doubled, swapped or inserted. */
export function mutated(octets: Buffer, below: (limit: number) => number): Buffer {
  let result = octets
  for (let left = 1 + below(3); left > 0; left--) {
    const at = below(result.length + 1)
    const [before, after] = [result.subarray(0, at), result.subarray(at)]
    const inserted = Buffer.from(INSERTED[below(INSERTED.length)] ?? '')
    const ways = [
      () => [before, after.subarray(1)],
      () => [before, inserted, after],
      () => [before, inserted, after.subarray(1)],
      () => [before],
      () => [before, after.subarray(0, 3), after],
      () => [before, Buffer.from([below(256)]), after.subarray(1)],
    ]
    result = Buffer.concat((ways[below(ways.length)] ?? (() => [octets]))())
  }
  return result
}
