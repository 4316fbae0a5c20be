/** Subcommands that take data out of a store. */
import type { Subcommand } from '../terminal/declare.ts'

export const EXPORTING: readonly Subcommand[] = [
  {
    name: 'export',
    takes: '[query]',
    does: 'write what a query finds, or all of a store, into a file',
    examples: [
      "gloss export 'has cities/name' --columns about,cities/name,cities/population -o cities.csv.gz",
      "gloss export 'has alice/books/rating' --format nquads -o books.nq",
      'gloss export --all --as service -o store.ndjson.gz',
    ],
    options: [
      { flags: '--all', does: 'everything that you may see, as an archive' },
      {
        flags: '--format <format>',
        does: 'as a graph: statements about objects',
        choices: ['jsonld', 'nquads'],
      },
      { flags: '--excel', does: 'CSV that spreadsheet programs open, without formulas' },
    ],
    talks: true,
    shows: true,
    load: () => import('./export.ts'),
  },
  {
    name: 'digest',
    takes: '[file]',
    does: 'print one line that is the same for stores, archives and backups that hold the same',
    examples: [
      'gloss digest --as service',
      'gloss digest --url https://gloss.example.org --as service',
      'gloss digest store.ndjson.gz',
    ],
    talks: true,
    load: () => import('./digest.ts'),
  },
]
