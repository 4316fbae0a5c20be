/** Subcommands that look at a store and ask it. */
import { wholeNumber, type Subcommand } from '../manners/declare.ts'

export const USING: readonly Subcommand[] = [
  {
    name: 'query',
    takes: '<query>',
    does: 'find objects, and show values of them',
    examples: [
      "gloss query 'alice/books/rating > 8'",
      "gloss query 'has cities/name' --columns about,cities/name,cities/population --sort -cities/population",
      'gloss query \'cities/country = "GB"\' --count',
    ],
    options: [
      { flags: '--count', does: 'only how many there are' },
      { flags: '--sort <tag>', does: 'the order: a tag, with - before it from the largest value down' },
      { flags: '--limit <number>', does: 'show no more than so many', read: wholeNumber(1) },
      { flags: '--watch <interval>', does: 'ask again all the time, such as every 5s or 2m' },
    ],
    talks: true,
    shows: true,
    load: () => import('./query.ts'),
  },
  {
    name: 'get',
    takes: '<about> [tag]',
    does: 'show the tags of an object, or one value as it is',
    examples: [
      'gloss get book:Dune',
      'gloss get book:Dune alice/books/rating',
      'gloss get book:Dune alice/books/cover -o cover.jpg',
    ],
    talks: true,
    shows: true,
    load: () => import('./get.ts'),
  },
  {
    name: 'ls',
    takes: '[namespace]',
    does: 'show namespaces and tags as a tree',
    examples: ['gloss ls', 'gloss ls alice/books', 'gloss ls alice --depth 5'],
    options: [{ flags: '--depth <levels>', does: 'how far down to look (2)', read: wholeNumber(1) }],
    talks: true,
    shows: true,
    load: () => import('./ls.ts'),
  },
  {
    name: 'recent',
    takes: '[about]',
    does: 'show the values that were written last: on an object, by a @user, or at all',
    examples: ['gloss recent', 'gloss recent book:Dune', 'gloss recent @alice --limit 100'],
    options: [
      { flags: '--limit <number>', does: 'show no more than so many (20)', read: wholeNumber(1, 100) },
    ],
    talks: true,
    shows: true,
    load: () => import('./recent.ts'),
  },
  {
    name: 'login',
    takes: '[url]',
    does: 'keep a service, a user and a password, in a file for you alone',
    examples: [
      'gloss login https://gloss.example.org --as alice',
      'gloss login https://gloss.example.org --as alice --profile work',
      'gloss login --as service --password-file /run/secrets/password',
    ],
    talks: true,
    load: () => import('./login.ts'),
  },
  {
    name: 'logout',
    takes: '[profile]',
    does: 'forget what gloss login has kept',
    examples: ['gloss logout', 'gloss logout work', 'gloss logout --quiet'],
    load: () => import('./logout.ts'),
  },
  {
    name: 'explain',
    takes: '[class]',
    does: 'say what a class of errors means; without one, what the answer on standard input means',
    examples: [
      'gloss explain TPathPermissionDenied',
      'curl -si http://127.0.0.1:8080/tags/alice/x | gloss explain',
      'gloss explain TParseError',
    ],
    load: () => import('./explain.ts'),
  },
  {
    name: 'completion',
    takes: '<shell>',
    does: 'print the script by which bash, zsh or fish completes command lines of gloss',
    examples: [
      'source <(gloss completion bash)',
      'source <(gloss completion zsh)',
      'gloss completion fish | source',
    ],
    load: () => import('./completion.ts'),
  },
  {
    name: 'complete',
    takes: '[words...]',
    does: 'what the last of some words may become, for the scripts of gloss completion',
    examples: ['gloss complete -- qu', "gloss complete -- get ''", 'gloss complete -- query --sort alice/'],
    hidden: true,
    load: () => import('./complete.ts'),
  },
]
