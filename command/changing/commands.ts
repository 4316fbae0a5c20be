/** The subcommands that change the data of a store. */
import { AS_JSON, splitList, type Group, type OptionRow, type Subcommand } from '../terminal/declare.ts'
import { TYPE_ROWS } from './types.ts'

const YES: OptionRow = { flags: '--yes', does: 'do not ask' }

const ACTION: OptionRow = {
  flags: '--action <actions>',
  does: 'other actions than to read values or to list a namespace, as perms show calls them',
  read: splitList,
}

/** The subcommands of `perms`; each calls one function of its module. */
const PERMS: readonly Subcommand[] = [
  {
    name: 'show',
    takes: '<path>',
    does: 'show all permissions of a tag or namespace',
    examples: [
      'gloss perms show alice/books/note',
      'gloss perms show alice/books/',
      'gloss perms show alice/books/note --json',
    ],
    talks: true,
    shows: true,
    load: () => import('./perms-show.ts'),
  },
  {
    name: 'who',
    takes: '<path>',
    does: 'say who may do what with a tag or namespace',
    examples: ['gloss perms who alice/books/note', 'gloss perms who alice', 'gloss perms who alice/books/'],
    options: [AS_JSON],
    talks: true,
    load: () => import('./perms-who.ts'),
  },
  {
    name: 'open',
    takes: '<path>',
    does: 'let everybody read the values of a tag, or list a namespace',
    examples: [
      'gloss perms open alice/books/note',
      'gloss perms open alice/books/',
      'gloss perms open alice/books/note --action read,write',
    ],
    options: [ACTION],
    talks: true,
    load: async () => ({ run: (await import('./perms-change.ts')).open }),
  },
  {
    name: 'close',
    takes: '<path>',
    does: 'let nobody but you read the values of a tag, or list a namespace',
    examples: [
      'gloss perms close alice/books/note',
      'gloss perms close alice/books/',
      'gloss perms close alice/books/note --action write,delete',
    ],
    options: [ACTION],
    talks: true,
    load: async () => ({ run: (await import('./perms-change.ts')).close }),
  },
  {
    name: 'grant',
    takes: '<path> <user...>',
    does: 'let users read the values of a tag, or list a namespace',
    examples: [
      'gloss perms grant alice/books/note bob',
      'gloss perms grant alice/books/note bob carol --action read,write',
      'gloss perms grant alice/books/ bob --action create',
    ],
    options: [ACTION],
    talks: true,
    load: async () => ({ run: (await import('./perms-change.ts')).grant }),
  },
  {
    name: 'revoke',
    takes: '<path> <user...>',
    does: 'do not let users read the values of a tag, or list a namespace',
    examples: [
      'gloss perms revoke alice/books/note bob',
      'gloss perms revoke alice/books/note bob carol --action write',
      'gloss perms revoke alice/books/ anon',
    ],
    options: [ACTION],
    talks: true,
    load: async () => ({ run: (await import('./perms-change.ts')).revoke }),
  },
]

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
      AS_JSON,
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
    options: [AS_JSON],
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
    options: [...TYPE_ROWS, YES, AS_JSON],
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
    options: [YES, AS_JSON],
    talks: true,
    load: () => import('./unset.ts'),
  },
  {
    name: 'mv',
    takes: '<path> <to>',
    does: 'give a tag, or a namespace with all that is in it, another name or parent',
    examples: [
      'gloss mv alice/books/rating alice/books/stars',
      'gloss mv alice/books/ alice/library/books',
      'gloss mv alice/books/rating alice/rating --as alice',
    ],
    talks: true,
    load: () => import('./mv.ts'),
  },
  {
    name: 'perms',
    does: 'see and change who may do what',
    examples: [
      'gloss perms who alice/books/note',
      'gloss perms close alice/books/note',
      'gloss perms grant alice/books/note bob',
    ],
    commands: PERMS,
  },
]
