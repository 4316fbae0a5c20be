/** Which words a text has, and which phrases match it. */
import { describe, expect, it, jest } from '@jest/globals'
import fc from 'fast-check'
import { phraseMatches, phraseTest } from '../../src/model/phrases.ts'
import {
  foldToTooMany,
  patternOf,
  type PatternWord,
  wordsInPortions,
  wordsOf,
} from '../../src/model/words.ts'

const WORDS: [what: string, text: string, words: string[]][] = [
  ['nothing', '', []],
  ['no words', ' ?! — * ___ … "" ', []],
  [
    'words between spaces and marks',
    'The quick (“brown”) fox, right?',
    ['the', 'quick', 'brown', 'fox', 'right'],
  ],
  ['inner apostrophes, dots and colons', "can't e.g. a:b O’Neil", ["can't", 'e', 'g', 'a', 'b', 'o’neil']],
  ['outer apostrophes and dots', "'tis the end.", ['tis', 'the', 'end']],
  ['numbers', '3.14 1,000 5-3 2nd x2', ['3.14', '1,000', '5', '3', '2nd', 'x2']],
  ['low lines', 'foo_bar __init__ _ a_1', ['foo', 'bar', '__init__', 'a_1']],
  ['several low lines', 'a__b a___1 _a_b_ a_1_b', ['a', 'b', 'a___1', '_a', 'b_', 'a_1_b']],
  ['what begins with its kind', 'book:Dune city::Rome', ['book', 'dune', 'city', 'rome']],
  ['an address', 'https://example.org/x_y.html', ['https', 'example', 'org', 'x', 'y', 'html']],
  ['a host and an apostrophe', "o'neil.example", ["o'neil", 'example']],
  ['joints in other scripts', 'Ж.я_ш αβ·γ カ_タ א:ב', ['ж', 'я', 'ш', 'αβ', 'γ', 'カ', 'タ', 'א', 'ב']],
  ['joints beside ideographs', 'a_漢 漢_a あ_a', ['a', '漢', '漢', 'a', 'あ', 'a']],
  ['marks around joints', 'a\u0323.b a.\u0301b a\u0323_\u0301_\u0301b', ['ạ', 'b', 'a', 'b', 'ạ', 'b']],
  ['a middle dot inside a letter', 'col·lecció coŀlecció', ['col', 'lecció', 'col', 'lecció']],
  ['points inside a character', '㏂ 5㏘', ['a', 'm', '5p', 'm']],
  ['joints without a letter at an end', 'a_.b a._b .a _b_', ['a_', 'b', 'a', '_b', 'a', '_b_']],
  [
    'hyphens, slashes and at-signs',
    'well-known a/b me@example.com',
    ['well', 'known', 'a', 'b', 'me', 'example', 'com'],
  ],
  ['every line break', 'a\nb\r\nc\rd\u2028e\u0085f\vg', ['a', 'b', 'c', 'd', 'e', 'f', 'g']],

  ['sharp s', 'Straße STRASSE STRAẞE', ['strasse', 'strasse', 'strasse']],
  ['all sigmas', 'ΣΊΣΥΦΟΣ σίσυφος', ['σίσυφοσ', 'σίσυφοσ']],
  ['dotted and dotless i', 'I i ı İ', ['i', 'i', 'ı', 'i̇']],
  ['long s and Kelvin', 'ſ K Å', ['s', 'k', 'å']],
  ['Cherokee', 'Ꭰ', wordsOf('ꭰ')],
  ['astral letter case', '𐐀𐐁', ['𐐨𐐩']],
  ['Greek with iota below', 'ᾳ ᾼ α\u0345\u0301 α\u0301\u0345', ['αι', 'αι', 'άι', 'άι']],

  ['composed and decomposed', 'é e\u0301 É E\u0301', ['é', 'é', 'é', 'é']],
  ['ligatures', 'ﬁne oﬃce ĳ', ['fine', 'office', 'ij']],
  ['full and half width', 'Ｃａｆｅ ｶﾞｰﾄﾞ', ['cafe', 'ガード']],
  ['mathematical letters', '𝒳𝟙', ['x1']],
  ['superscripts and subscripts', 'x² CO₂', ['x2', 'co2']],
  ['enclosed and Roman numbers', '① Ⅷ', ['1', 'viii']],
  ['a unit in one character', '5 ㎏', ['5', 'kg']],
  ['a letter that folds to a phrase', 'ﷺ', ['صلى', 'الله', 'عليه', 'وسلم']],

  ['ideographs one by one', '漢字𠀀', ['漢', '字', '𠀀']],
  ['hiragana one by one, katakana in runs', 'かなカタカナ', ['か', 'な', 'カタカナ']],
  ['Hangul between spaces', '한국어 단어', ['한국어', '단어']],
  ['Thai without a dictionary', 'ดี', ['ดี']],
  ['Hebrew quotes', 'צה"ל ג\'', ['צה"ל', "ג'"]],
  ['Devanagari with joiners', 'क्\u200dष', ['क्ष']],

  ['emoji, which are not words', '👩‍💻 ❤️ ☕ 👍🏽 1️⃣ #️⃣ ℹ️ Ⓜ️ ㊙️ 🇩🇪', []],
  ['words beside emoji', 'tea☕time👍🏽now🇩🇪here1️⃣x', ['tea', 'time', 'now', 'here', 'x']],
  ['a skin tone after a letter', 'a🏽b', ['a', 'b']],
  ['trade marks, which are not part of a name', 'Gloss™ Gloss© Gloss®', ['gloss', 'gloss', 'gloss']],

  [
    'invisible characters inside a word',
    'co\u00adop\u2060er\ufeffate می\u200cخواهم',
    ['cooperate', 'میخواهم'],
  ],
  ['zero width spaces between words', 'one\u200btwo', ['one', 'two']],
  ['fillers alone', '\u3164 \u115f \uffa0', []],
]

/** All characters that join letters or digits by UAX #29. Where the default holds, the word ends where it ends there. */
const JOINTS: [
  name: string,
  characters: string,
  words: [aa: string, a1: string, oneA: string, ones: string],
][] = [
  ['a colon', ':︓﹕：', ['a a', 'a 1', '1 a', '1 1']],
  ['a full stop', '.․﹒．', ['a a', 'a 1', '1 a', '1.1']],
  ['a middle dot', '··', ['a a', 'a 1', '1 a', '1 1']],
  ['a low line', '_︳︴﹍﹎﹏＿', ['a a', 'a_1', '1_a', '1_1']],
  ['an apostrophe', "'＇", ["a'a", 'a 1', '1 a', "1'1"]],
  ['a quotation mark that closes', '’', ['a’a', 'a 1', '1 a', '1’1']],
  ['a quotation mark that opens', '‘', ['a‘a', 'a 1', '1 a', '1‘1']],
  ['an Armenian abbreviation', '՟', ['a՟a', 'a 1', '1 a', '1 1']],
  ['a gershayim', '״', ['a״a', 'a 1', '1 a', '1 1']],
  ['a hyphenation point', '‧', ['a‧a', 'a 1', '1 a', '1 1']],
  ['an undertie', '‿', ['a‿a', 'a‿1', '1‿a', '1‿1']],
  ['a character tie', '⁀', ['a⁀a', 'a⁀1', '1⁀a', '1⁀1']],
  ['an inverted undertie', '⁔', ['a⁔a', 'a⁔1', '1⁔a', '1⁔1']],
  ['a narrow space', '\u202f', ['a a', 'a 1', '1 a', '1 1']],
  ['a comma', ',，', ['a a', 'a 1', '1 a', '1,1']],
  ['a semicolon', ';；', ['a a', 'a 1', '1 a', '1;1']],
]

const JOINT_ROWS = JOINTS.flatMap(([name, characters, words]) =>
  Array.from(characters, (character): [string, string, string[]] => [name, character, words]),
)

describe('a character between two others', () => {
  it.each(JOINT_ROWS)('is %s, %j: it ends words, or does not', (_name, character, expected) => {
    const around = ['a?a', 'a?1', '1?a', '1?1'].map((text) => text.replace('?', character))
    expect(around.map((text) => wordsOf(text).join(' '))).toEqual(expected)
    // Words that are not ASCII take the general way.
    const general = ['é?é', 'é?٣', '٣?é', '٣?٣'].map((text) => wordsOf(text.replace('?', character)))
    expect(general.map(({ length }) => length)).toEqual(expected.map((words) => words.split(' ').length))
  })
})

describe('wordsOf', () => {
  it.each(WORDS)('finds the words of a text with %s', (_what, text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('finds in ASCII the same words by its short way', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from("aZ09_:.,;'- ")), maxLength: 12 })
    fc.assert(
      // The words of a pattern are always found by the general way.
      fc.property(text, (some) => {
        expect(wordsOf(some)).toEqual(patternOf(some).map(({ word }) => word))
      }),
      { numRuns: 5_000 },
    )
  })

  // Sorting them as one run would take a day.
  it('reads any number of marks on one letter', () => {
    const [marks, below] = ['\u0301'.repeat(2_000_000), '\u0316'.repeat(2_000_000)]
    expect(wordsOf(`a${marks}${below} b`)).toHaveLength(2)
    const [word = '', ...others] = wordsOf(`a${marks}`)
    expect(others).toEqual([])
    // A word ends where too many characters have no place to cut.
    expect(`á${marks}`.startsWith(word)).toBe(true)
    expect(word.length).toBeGreaterThan(3_000)
    expect(word.length).toBeLessThan(64 * 1024)
  })

  it('gives the same words by its fast path for ASCII', () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('aB1_ .,:;\'"*-/\n\r')), maxLength: 12 })
    fc.assert(
      fc.property(text, (ascii) => {
        expect([...wordsOf(ascii), 'é']).toEqual(wordsOf(`${ascii} é`))
      }),
      { numRuns: 2_000 },
    )
  })

  it('folds exactly what Unicode folds, and leaves folded words unchanged', () => {
    // Cherokee letters fold in the other direction, which distinguishes the same words.
    const cherokee = /[\u13a0-\u13fd\uab70-\uabbf]/u
    const wrong: string[] = []
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code)
      if (!/[\p{L}\p{N}]/u.test(character) || /\p{Extended_Pictographic}/u.test(character)) continue
      const words = wordsOf(character)
      const changes = words.length !== 1 || words[0] !== character
      const changesInUnicode = /\p{Changes_When_NFKC_Casefolded}/u.test(character)
      const again = words.flatMap((word) => wordsOf(word))
      const right = changes === changesInUnicode || cherokee.test(character)
      if (!right || again.join(' ') !== words.join(' ')) wrong.push(`U+${code.toString(16)}`)
    }
    expect(wrong).toEqual([])
  })

  it('gives the same words for all letter cases and normal forms', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        const words = wordsOf(text)
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
          const spared = text.replace(/[\p{Extended_Pictographic}\p{Emoji}\u20e3]/gu, ' ')
          expect(wordsOf(spared.normalize(form))).toEqual(wordsOf(spared))
        }
        expect(wordsOf(words.join(' '))).toEqual(words)
      }),
    )
  })
})

describe('a step of wordsInPortions', () => {
  const MOST = 64 * 1024

  const normalize: (form?: string) => string = Reflect.get(String.prototype, 'normalize')

  /** How many characters normalization was given or gave, at most at once, while the words of a text were found. */
  function longestStep(text: string): number {
    let longest = 0
    const watched = jest.spyOn(String.prototype, 'normalize').mockImplementation(function (
      this: string,
      form,
    ) {
      const normalized = Reflect.apply(normalize, this, [form])
      longest = Math.max(longest, this.length, normalized.length)
      return normalized
    })
    try {
      for (const words of wordsInPortions(text)) longest = Math.max(longest, words.join('').length)
    } finally {
      watched.mockRestore()
    }
    return longest
  }

  it.each([
    ['low lines', `é${'_'.repeat(500_000)}`],
    ['low lines in ASCII', `a${'_'.repeat(500_000)}`],
    ['marks', `a${'\u0301'.repeat(500_000)}`],
    ['letters with many marks', `a${'\u0301'.repeat(99)}`.repeat(5_000)],
    ['a letter that folds to a phrase', 'ﷺ'.repeat(50_000)],
    ['the same after ASCII', `${'a'.repeat(60_000)}${'ﷺ'.repeat(10_000)}`],
    ['invisible characters', `a${'\u00ad'.repeat(500_000)}b`],
  ])('is bounded after folding in a text of %s', (_what, text) => {
    expect(longestStep(text)).toBeLessThanOrEqual(MOST)
  })

  it('has room for what folding makes of any character', () => {
    const tooLong: string[] = []
    for (let code = 0; code <= 0x10ffff; code += 1) {
      const character = String.fromCodePoint(code)
      // Folding ends with NFKC, whose texts are no longer than those of NFKD.
      const { length } = character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD')
      if (length > 18 * character.length) tooLong.push(`U+${code.toString(16)}`)
    }
    expect(tooLong).toEqual([])
  })
})

describe('a pattern', () => {
  it('may be as long as a query, if folding does not make much more of it', () => {
    const refused = (text: string): boolean => foldToTooMany([text])
    expect([refused('ж'.repeat(16_000)), refused('a'.repeat(32_000)), refused('ﷺ'.repeat(3_640))]).toEqual([
      false,
      false,
      false,
    ])
    expect(refused('ﷺ'.repeat(3_641))).toBe(true)
    expect(foldToTooMany(['ﷺ'.repeat(2_000), 'ﷺ'.repeat(2_000)])).toBe(true)
  })
})

describe('wordsInPortions', () => {
  /** What words are made of and what is between them, in many scripts, with what normalization joins. */
  const unit = fc.constantFrom(
    ...Array.from(
      ' a.b:Ж1,2;\'_·‿-\u0301\u0316é中かカハﾊﾞ가ㄱ가각ᆨ×٣אב"ﷺ™ﬁŉ…😀🇦🇧#\u20e3\u200d\u00ad\u200bกาİıςΣ\u2028\n',
    ),
  )
  const of = (text: string, portion: number): string[] => [...wordsInPortions(text, portion)].flat()

  const text = fc
    .array(fc.tuple(fc.string({ unit, maxLength: 12 }), fc.nat({ max: 20 })), { maxLength: 12 })
    .map((pieces) => pieces.map(([piece, times]) => piece.repeat(times)).join(''))

  it('finds the words of the whole text, wherever it is cut', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 200 }), (whole, portion) => {
        expect(of(whole, portion)).toEqual(of(whole, Infinity))
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['low lines', (n: number) => `word${'_'.repeat(n)}word`],
    ['low lines with marks', (n: number) => `word${'_'.repeat(n)}\u0301\u0316word`],
    ['low lines without a letter after them', (n: number) => `word${'_'.repeat(n)}5`],
    ['a low line before an ideograph', (n: number) => `${'w,'.repeat(n)}w_漢`],
    ['a full stop', (n: number) => `${'a'.repeat(n)}.${'b'.repeat(n)}`],
    ['a full stop with marks', (n: number) => `${'a'.repeat(n)}.${'\u0301'.repeat(40)}${'b'.repeat(n)}`],
  ])('ends the same words at %s, wherever it is cut', (_what, make) => {
    for (const n of [1, 64, 66]) {
      // Without blanks, where a text would be cut at once.
      const whole = `${'some,words,'.repeat(9)}${make(n)}${',and,more'.repeat(9)}`
      for (let portion = 95; portion < 105 + 2 * n; portion++) {
        expect(of(whole, portion)).toEqual(of(whole, Infinity))
      }
    }
  })

  it.each([
    ['words', 'word '],
    ['one word', 'a'],
    ['one word with apostrophes in it', "a'"],
    ['words with points between them', 'a.'],
    ['words with low lines between them', 'a_'],
    ['words with many low lines between them', 'ab____'],
    ['words with low lines and marks between them', 'a_\u0301'],
    ['a number', '1'],
    ['Cyrillic letters', 'ж'],
    ['Han characters', '漢'],
    ['Thai letters', 'กา'],
    ['Arabic ligatures', 'ﷺ'],
    ['line separators', '\u2028'],
    ['pictures', '😀'],
  ])('cuts a long text of %s', (_what, text) => {
    const portions = [...wordsInPortions(text.repeat(20_000 / text.length), 1_000)]
    expect(portions.length).toBeGreaterThan(9)
    expect(portions.flat()).toEqual(of(text.repeat(20_000 / text.length), Infinity))
  })
})

const PATTERNS: [text: string, pattern: string][] = [
  ['', ''],
  ['*', ''],
  ['Foo bar', 'foo bar'],
  ['foo*', 'foo*'],
  ['Foo* BAR', 'foo* bar'],
  ['foo *', 'foo'],
  ['*foo', 'foo'],
  ['foo**', 'foo*'],
  ['fo*o', 'fo* o'],
  ['"foo"*', 'foo'],
  ["can't*", "can't*"],
  ['book:D*', 'book d*'],
  ['example.*', 'example'],
  ['new_y* 3.1*', 'new y* 3.1*'],
  ['é·b*', 'é b*'],
  ['STRASSE* Maß*', 'strasse* mass*'],
  ['漢字*', '漢 字*'],
  ['*️⃣ x', 'x'],
]

const spell = (pattern: PatternWord[]): string =>
  pattern.map(({ word, prefix }) => (prefix ? `${word}*` : word)).join(' ')

describe('patternOf', () => {
  it.each(PATTERNS)('reads %j as %j', (text, pattern) => {
    expect(spell(patternOf(text))).toBe(pattern)
  })
})

const PHRASES: [text: string, phrase: string, found: boolean][] = [
  ['green tea', 'green tea', true],
  ['a cup of Green, TEA!', 'green tea', true],
  ['tea, green', 'green tea', false],
  ['green or black tea', 'green tea', false],
  ['green', 'green tea', false],
  ['greens', 'green', false],
  ['greens', 'green*', true],
  ['green', 'green*', true],
  ['evergreen', 'green*', false],
  ['green teapots', 'gr* tea*', true],
  ['green teapots here', 'gr* tea* here', true],
  ['green teapots', 'gr* tea', false],
  ['the the cat', 'the cat', true],
  ['a a b a a c', 'a a c', true],
  ['ab ab ac', 'a* ac', true],
  ['I ❤️ tea', 'i tea', true],
  ['漢字の本', '字の', true],
  ['漢字の本', '漢の', false],
  ['Die Straße', 'STRASSE', true],
  ['Die Straßen', 'STRAS*', true],
  ['https://example.org/book:Dune', 'example', true],
  ['https://example.org/book:Dune', 'example.org', true],
  ['https://example.org/book:Dune', 'EXAMPLE ORG', true],
  ['https://example.org/book:Dune', 'book:dune', true],
  ['https://example.org/book:Dune', 'book dun*', true],
  ['book Dune', 'book:dune', true],
  ['new_york', 'york', true],
  ['a_1', 'a', false],
  ['3.14', '14', false],
  ["can't", 'can', false],
  ['anything', '', true],
  ['', '', true],
  ['', 'a*', false],
]

describe('phraseMatches', () => {
  it.each(PHRASES)('in %j, finds %j: %p', (text, phrase, found) => {
    expect(phraseMatches(wordsOf(text), patternOf(phrase))).toBe(found)
  })

  it('agrees with trying every position', () => {
    const naive = (words: string[], pattern: PatternWord[]): boolean =>
      Array.from({ length: words.length + 1 }, (_, from) => from).some((from) =>
        pattern.every(({ word, prefix }, place) => {
          const there = words[from + place]
          return there !== undefined && (prefix ? there.startsWith(word) : there === word)
        }),
      )
    const word = fc.constantFrom('a', 'ab', 'abc', 'b')
    const pattern = fc.array(fc.record({ word, prefix: fc.boolean() }), { maxLength: 5 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), pattern, (words, wanted) => {
        expect(phraseMatches(words, wanted)).toBe(naive(words, wanted))
      }),
      { numRuns: 2_000 },
    )
  })

  it('handles long patterns', () => {
    const words = Array<string>(5_000).fill('a')
    const pattern = patternOf(`${'a '.repeat(3_000)}b*`)
    expect(phraseMatches(words, pattern)).toBe(false)
    expect(phraseMatches([...words, 'bc'], pattern)).toBe(true)
  })
})

describe('phraseTest', () => {
  it('lets through every text that has the phrase', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        'A',
        'of',
        '1',
        '2',
        '_',
        '.',
        ',',
        "'",
        ':',
        '·',
        '-',
        ' ',
        '\n',
        '"',
        '\\',
        'é',
        'ß',
        '\u200b',
        '。',
      ],
    )
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const phrase = fc.array(
      fc.constantFrom('a', 'b', 'of', '1', 'a.b', 'a_', '_b', 'a_1', '1.2', '1,2', 'é', 'a*'),
      {
        minLength: 2,
        maxLength: 3,
      },
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 2 }), phrase, (texts, words) => {
        const pattern = patternOf(words.join(' '))
        const json = JSON.stringify(texts.length === 1 ? texts[0] : texts)
        const found = texts.some((one) => phraseMatches(wordsOf(one), pattern))
        if (found) expect(phraseTest(pattern)(json)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    ['of the', 'the best of the rest', true],
    ['of the', 'Of\u2014THE', true],
    ['of the', 'of all the', false],
    ['1.2 c', '1x2 c', false],
    ['a.b c', 'a_b c', true],
    ['a.b c', 'axb c', false],
  ])('for the phrase %j lets %j through: %p', (phrase, text, passes) => {
    expect(phraseTest(patternOf(phrase))(JSON.stringify(text))).toBe(passes)
  })
})
