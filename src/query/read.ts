/** Turns a text within its limit of octets into the tree of a query: no more than this is needed where queries are typed. */
import nearley from 'nearley'
import grammar from '../../generated/query-grammar.ts'
import { once } from '../scheduling/once.ts'
import type { QueryNode } from './ast.ts'
import { Flaw, QueryLexer, quote, type QueryLimits, type Token } from './lexer.ts'

/** The part of the parser's state that says which tokens may follow. */
interface Column {
  scannable: { rule: { symbols: { type: string }[] }; dot: number }[]
}

const compiled = nearley.Grammar.fromCompiled(grammar)

/** Reports what the grammar allows at one place; the standard report lists whole parse stacks, which take megabytes. */
class QueryParser extends nearley.Parser {
  declare readonly table: Column[]
  declare lexer: QueryLexer

  constructor(limits: QueryLimits) {
    super(compiled)
    this.lexer = new QueryLexer(limits)
  }

  reportError(token: Token): never {
    throw new Flaw(token.offset, `expected ${this.expected()}, found ${found(token)}`)
  }

  reportLexerError(error: unknown): never {
    throw error
  }

  expected(): string {
    const states = this.table[this.current]?.scannable ?? []
    return alternatives(new Set(states.map(({ rule, dot }) => rule.symbols[dot]?.type)))
  }
}

/** The tree of a query. Throws a `Flaw` for any other text. */
export function read(text: string, limits: QueryLimits): QueryNode {
  const parser = new QueryParser(limits)
  const [root] = parser.feed(text).results as QueryNode[]
  if (root !== undefined) return root
  throw new Flaw(text.length, `expected ${parser.expected()}, found the end of the query`)
}

const PHRASES: Record<string, readonly string[]> = {
  path: ['a tag path'],
  has: ['has'],
  open: ['('],
  equality: ['=', '!='],
  order: ['<', '<=', '>', '>='],
  matches: ['matches'],
  contains: ['contains'],
  string: ['a string'],
  number: ['a number'],
  constant: ['true', 'false', 'null'],
  and: ['and'],
  or: ['or'],
  except: ['except'],
  close: [')'],
}

// The console reads queries, too, and a browser takes tens of milliseconds to make one.
const orList = once(() => new Intl.ListFormat('en-GB', { type: 'disjunction' }))

function alternatives(types: ReadonlySet<string | undefined>): string {
  const phrases = Object.entries(PHRASES).flatMap(([type, phrase]) => (types.has(type) ? phrase : []))
  // If `or` may follow, the query is complete, unless a parenthesis is still open.
  if (types.has('or') && !types.has('close')) phrases.push('the end of the query')
  const list = orList().format(phrases)
  return types.has('constant') ? `a value (${list})` : list
}

const found = ({ type, text, value }: Token): string =>
  type === 'string' ? `the string ${quote(value)}` : quote(text)
