/** Subcommands that change what a store holds. */
import type { Group, OptionRow, Subcommand } from '../manners/declare.ts'
import { TYPE_ROWS } from './types.ts'

const YES: OptionRow = { flags: '--yes', does: 'do not ask' }

export const CHANGING: readonly (Subcommand | Group)[] = [
  {
    name: 'tag',
    takes: '<about> <tag=value...>',
    does: 'write values on an object; all of them, or none',
    examples: [
      'gloss tag book:Dune alice/books/rating=9',
      'gloss tag book:Dune alice/books/topics=desert,ecology --list',
      'gloss tag book:Dune alice/books/cover=dune.jpg --file',
    ],
    options: [
      ...TYPE_ROWS,
      { flags: '--file', does: 'values are files, written one by one as they are' },
      { flags: '--media-type <type>', does: 'the media type of the files, unless their names tell it' },
    ],
    talks: true,
    load: () => import('./tag.ts'),
  },
  {
    name: 'untag',
    takes: '<about> <tag...>',
    does: 'take tags off an object',
    examples: [
      'gloss untag book:Dune alice/books/rating',
      'gloss untag book:Dune alice/books/rating alice/books/note',
      'gloss untag 019a2f3c-7b1e-7d42-9c55-3f6a81e0b7d4 alice/books/rating',
    ],
    talks: true,
    load: () => import('./untag.ts'),
  },
  {
    name: 'set',
    takes: '<query> <tag=value...>',
    does: 'write values on all objects that a query matches, once you have seen which',
    examples: [
      "gloss set 'alice/books/rating > 8' alice/books/recommended=true",
      "gloss set 'has alice/books/rating' alice/books/shelf=A3 --string",
      "gloss set 'alice/books/rating > 8' alice/books/recommended=true --yes",
    ],
    options: [...TYPE_ROWS, YES],
    talks: true,
    load: () => import('./set.ts'),
  },
  {
    name: 'unset',
    takes: '<query> <tag...>',
    does: 'take tags off all objects that a query matches, once you have seen which',
    examples: [
      "gloss unset 'alice/books/rating < 5' alice/books/recommended",
      "gloss unset 'has alice/books/draft' alice/books/draft alice/books/note",
      "gloss unset 'has alice/books/draft' alice/books/draft --yes",
    ],
    options: [YES],
    talks: true,
    load: () => import('./unset.ts'),
  },
]
