/** Creates small faults for a source file: typical slips that the type checker often accepts. */
import ts from 'typescript'

/** A fault: `replacement` replaces the text from `start` to `end` of a file. */
export interface Fault {
  /** The path from the root of the project. */
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** The name of the operator, such as `negated condition`. */
  readonly kind: string
}

/** The changes of a node, if the operator applies to it. */
type Operator = (node: ts.Node, text: (node: ts.Node) => string) => Change[]

interface Change {
  readonly node: ts.Node
  readonly replacement: string
  readonly kind: string
}

const OTHERS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
])

const otherOperator: Operator = (node) => {
  if (!ts.isBinaryExpression(node)) return []
  const other = OTHERS.get(node.operatorToken.kind)
  return other === undefined ? [] : [{ node: node.operatorToken, replacement: other, kind: 'other operator' }]
}

const negatedCondition: Operator = (node, text) => {
  const isLoop = ts.isWhileStatement(node) || ts.isIfStatement(node)
  const condition = isLoop ? node.expression : ts.isConditionalExpression(node) ? node.condition : undefined
  if (condition === undefined) return []
  return [{ node: condition, replacement: `!(${text(condition)})`, kind: 'negated condition' }]
}

const removedAwait: Operator = (node, text) =>
  ts.isAwaitExpression(node) ? [{ node, replacement: text(node.expression), kind: 'removed await' }] : []

const removedStatement: Operator = (node) => {
  if (ts.isReturnStatement(node)) return [{ node, replacement: ';', kind: 'removed return' }]
  if (ts.isContinueStatement(node)) return [{ node, replacement: 'break', kind: 'break for continue' }]
  if (!ts.isExpressionStatement(node)) return []
  const { expression } = node
  const called = ts.isAwaitExpression(expression) ? expression.expression : expression
  return ts.isCallExpression(called) ? [{ node, replacement: ';', kind: 'removed call' }] : []
}

const swappedArguments: Operator = (node, text) => {
  if (!ts.isCallExpression(node)) return []
  const [first, second] = node.arguments
  if (first === undefined || second === undefined || text(first) === text(second)) return []
  if (ts.isSpreadElement(first) || ts.isSpreadElement(second)) return []
  const rest = node.arguments.slice(2).map((argument) => `, ${text(argument)}`)
  const swapped = `${text(node.expression)}(${text(second)}, ${text(first)}${rest.join('')})`
  return [{ node, replacement: swapped, kind: 'swapped arguments' }]
}

/** Literals in types, names and imports have no meaning at run time, or another one. */
const isValue = ({ parent }: ts.Node): boolean =>
  !ts.isTypeNode(parent) &&
  !ts.isImportDeclaration(parent) &&
  !ts.isExportDeclaration(parent) &&
  !(ts.isPropertyAssignment(parent) && parent.name.kind === ts.SyntaxKind.StringLiteral) &&
  !ts.isElementAccessExpression(parent)

const otherConstant: Operator = (node, text) => {
  if (!isValue(node)) return []
  if (ts.isNumericLiteral(node)) {
    // This also works for hexadecimal numbers and for fractions.
    return ['+', '-'].map((sign) => ({
      node,
      replacement: `(${text(node)} ${sign} 1)`,
      kind: `constant ${sign} 1`,
    }))
  }
  if (ts.isStringLiteral(node) && node.text !== '') return [{ node, replacement: `''`, kind: 'emptied text' }]
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0)
    return [{ node, replacement: '[]', kind: 'emptied list' }]
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ node, replacement: 'false', kind: 'other constant' }]
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ node, replacement: 'true', kind: 'other constant' }]
  return []
}

const OPERATORS = [
  ...[otherOperator, negatedCondition, removedAwait],
  ...[removedStatement, swappedArguments, otherConstant],
]

/** All faults for a file, in the order of its text. */
export function faultsFor(file: string, source: string): Fault[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const text = (node: ts.Node): string => node.getText(tree)
  const found: Fault[] = []
  const visit = (node: ts.Node): void => {
    for (const { node: changed, replacement, kind } of OPERATORS.flatMap((operator) =>
      operator(node, text),
    )) {
      const [start, end] = [changed.getStart(tree), changed.end]
      const line = tree.getLineAndCharacterOfPosition(start).line + 1
      found.push({ file, line, start, end, replacement, kind })
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(tree, visit)
  return found
}

/** The text of a file with a fault in it. */
export const withFault = (source: string, { start, end, replacement }: Fault): string =>
  source.slice(0, start) + replacement + source.slice(end)
