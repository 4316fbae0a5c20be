/** Leaves out what the console does not use of libraries that are each one function, in which no bundler looks for it. */
import { parseSync, Visitor, type Plugin } from 'vite'

/**
 * What of each module is not used: the left sides of assignments, which go with all that is assigned to parts of them, or
 * properties with their values. What only they needed is then left out by the minifier.
 */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  // Errors are worded by the parser of queries itself, and its lexer is that of the language.
  'nearley/lib/nearley.js': [
    'Rule.prototype.toString',
    'State.prototype.toString',
    'StreamLexer.prototype',
    'Parser.prototype.reportLexerError',
    'Parser.prototype.reportError',
    'Parser.prototype.reportErrorCommon',
    'Parser.prototype.displayStateStack',
    'Parser.prototype.getSymbolDisplay',
    'Parser.prototype.buildFirstStateStack',
    'Parser.prototype.save',
    'Parser.prototype.restore',
    'Parser.prototype.rewind',
  ],
  'moo/moo.js': [
    'states: compileStates',
    'keywords: keywordTransform',
    'Lexer.prototype.formatError',
    'Lexer.prototype.clone',
    'Lexer.prototype.has',
    'Lexer.prototype.save',
  ],
}

/** Where something stands in the code. */
interface Span {
  readonly start: number
  readonly end: number
}

/** Makes modules of those files, with what is used of them. */
export const unused = (): Plugin => ({
  name: 'unused',
  transform: {
    filter: { id: Object.keys(UNUSED).map((path) => new RegExp(`/${path}$`)) },
    handler(code, id) {
      const [, parts = []] = Object.entries(UNUSED).find(([path]) => id.endsWith(path)) ?? []
      return { code: moduleOf(code, parts), map: null }
    },
  },
})

/**
 * As a module, a file that is one call of a function, the last argument of which makes what the file exports (UMD); without
 * those parts. Throws if it is no such file, or if it does not have one of them.
 */
export function moduleOf(code: string, parts: readonly string[]): string {
  const { program } = parseSync('library.js', code, { preserveParens: false })
  const [statement] = program.body
  const call = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
  const factory = call?.type === 'CallExpression' ? call.arguments.at(-1) : undefined
  if (factory?.type !== 'FunctionExpression') throw new Error('what makes its exports is no function')
  const missing = new Set(parts)
  let kept = ''
  let done = factory.start
  const leaveOut = (text: string, { start, end }: Span, instead: string): void => {
    const part = parts.find((name) => text === name || text.startsWith(`${name}.`))
    if (part === undefined || start < done) return
    missing.delete(part)
    kept += code.slice(done, start) + instead
    done = end
  }
  new Visitor({
    ExpressionStatement(node) {
      if (node.expression.type !== 'AssignmentExpression') return
      const { left } = node.expression
      leaveOut(code.slice(left.start, left.end), node, ';')
    },
    Property(node) {
      leaveOut(code.slice(node.start, node.end), node.value, 'undefined')
    },
  }).visit(program)
  if (missing.size > 0) throw new Error(`there is no ${[...missing].join(', ')}`)
  return `export default (${kept}${code.slice(done, factory.end)})()`
}
