/** Subcommands that bring data into a store. */
import { InvalidArgumentError } from 'commander'
import { wholeNumber, type Subcommand } from '../terminal/declare.ts'

/** Collects the pairs of a repeated option `--option column=value`. */
const pairs =
  (known?: readonly string[]) =>
  (text: string, before: unknown): ReadonlyMap<string, string> => {
    const cut = text.lastIndexOf('=')
    const value = text.slice(cut + 1)
    if (cut < 1 || value === '') throw new InvalidArgumentError('It is a column, = and a value.')
    if (known !== undefined && !known.includes(value)) {
      throw new InvalidArgumentError(`After = comes one of ${known.join(', ')}.`)
    }
    return new Map([...((before ?? []) as Iterable<[string, string]>), [text.slice(0, cut), value]])
  }

const collect = (text: string, before: unknown): string[] => [...((before ?? []) as string[]), text]

const TYPES = ['boolean', 'int', 'float', 'string', 'list']

export const IMPORTING: readonly Subcommand[] = [
  {
    name: 'import',
    takes: '[file]',
    does: 'write rows of CSV, TSV, JSON or NDJSON as values, also .gz, - for standard input; or an archive or a backup',
    examples: [
      "gloss import cities.csv --about 'geonames:{id}' --into cities",
      "gloss import cities.csv --about 'geonames:{id}' --into cities --type zip=string --skip notes --dry-run",
      'gloss import store.ndjson.gz --as service',
    ],
    options: [
      { flags: '--about <template>', does: 'the about value of a row, with columns in braces' },
      { flags: '--id <column>', does: 'the column with the ids of the objects' },
      { flags: '--into <namespace>', does: 'the namespace of the tags' },
      { flags: '--type <column=type>', does: `what a column is: ${TYPES.join(', ')}`, read: pairs(TYPES) },
      { flags: '--rename <column=name>', does: 'give the tag of a column another name', read: pairs() },
      { flags: '--skip <column>', does: 'leave a column out', read: collect },
      { flags: '--separator <text>', does: 'what stands between the fields of CSV' },
      { flags: '--heading <line>', does: 'the line of the heading, from 1', read: wholeNumber(1) },
      { flags: '--no-heading', does: 'the first line has values: the columns are column 1, column 2, …' },
      { flags: '--encoding <name>', does: 'the encoding, such as windows-1252 or shift_jis' },
      { flags: '--rows <path>', does: 'where the rows are in JSON, such as data.results' },
      { flags: '--list-separator <text>', does: 'what stands between the items of lists' },
      { flags: '--null <text>', does: 'a text that stands for no value, such as NA', read: collect },
      { flags: '--decimal <separator>', does: 'the decimal separator of numbers', choices: ['.', ','] },
      {
        flags: '--on-repeat <which>',
        does: 'which of the rows about one object count: last, first, list (of different strings), or refuse the others',
        choices: ['last', 'first', 'list', 'refuse'],
      },
      { flags: '--empty <what>', does: 'what an empty field becomes (skip)', choices: ['null', 'skip'] },
      {
        flags: '--media-type <column=type>',
        does: 'write the files that a column names, such as photo=image/png',
        read: pairs(),
      },
      { flags: '--files-from <folder>', does: 'where these files are (the folder of the data file)' },
      { flags: '--mapping <file>', does: 'take all this from a file' },
      { flags: '--save <file>', does: 'write such a file' },
      { flags: '--dry-run', does: 'change nothing' },
      { flags: '--yes', does: 'do not ask' },
      { flags: '--resume', does: 'go on with an import that was interrupted' },
    ],
    talks: true,
    load: () => import('./import.ts'),
  },
]
