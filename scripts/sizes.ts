/**
 * Prints the sizes of src: files and functions, their branches, parameters and casts; and the size of the console (`npm
 * run sizes`).
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'
import { buildConsole } from './build-console.ts'
import { consoleFiles, consoleTable } from './console-sizes.ts'
import { argumentsOf } from './usage.ts'

/** The counts for one file; the lists have a number for each function. */
export interface Sizes {
  readonly lines: number
  readonly functionLines: readonly number[]
  readonly parameters: readonly number[]
  readonly complexity: readonly number[]
  /** Type assertions, except `as const`. */
  readonly casts: number
}

/** A function with a name: a declaration, a member of a class or an object, or an initializer. */
function isNamed(node: ts.Node): node is ts.FunctionLikeDeclaration & { body: ts.Node } {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return false
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return true
  return [ts.isVariableDeclaration, ts.isPropertyDeclaration, ts.isPropertyAssignment].some((is) =>
    is(node.parent),
  )
}

const BRANCHES: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
  // `&&`, `||`, `??`, their assignments, and `?.`
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.AmpersandAmpersandEqualsToken,
  ts.SyntaxKind.BarBarEqualsToken,
  ts.SyntaxKind.QuestionQuestionEqualsToken,
  ts.SyntaxKind.QuestionDotToken,
])

/** One path, plus one for each branch, as ESLint counts them; nested functions count separately. */
function complexityOf(node: ts.Node): number {
  let ways = 1
  const visit = (inner: ts.Node): void => {
    if (ts.isFunctionLike(inner)) return
    if (BRANCHES.has(inner.kind)) ways += 1
    if ((ts.isParameter(inner) || ts.isBindingElement(inner)) && inner.initializer) ways += 1
    ts.forEachChild(inner, visit)
  }
  ts.forEachChild(node, visit)
  return ways
}

/** Counts one file, given its text. */
export function sizesOf(file: string, text: string): Sizes {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line
  const functions: (ts.FunctionLikeDeclaration & { body: ts.Node })[] = []
  let casts = 0
  const visit = (node: ts.Node): void => {
    if (isNamed(node)) functions.push(node)
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) casts += 1
    ts.forEachChild(node, visit)
  }
  visit(source)
  return {
    lines: text.split('\n').length - 1,
    functionLines: functions.map((one) => lineOf(one.getEnd()) - lineOf(one.getStart()) + 1),
    parameters: functions.map((one) => one.parameters.length),
    complexity: functions.map(complexityOf),
    casts,
  }
}

/** The quantile of numbers for a share. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

const COLUMNS: readonly (readonly [title: string, numbers: (sizes: Sizes) => readonly number[]])[] = [
  ['lines of files', (sizes) => [sizes.lines]],
  ['of functions', (sizes) => sizes.functionLines],
  ['parameters', (sizes) => sizes.parameters],
  ['complexity', (sizes) => sizes.complexity],
  ['casts in files', (sizes) => [sizes.casts]],
]

/** The lines of the table: every folder, and folders with subfolders as a whole. */
export function tableOf(files: ReadonlyMap<string, Sizes>): string[] {
  const folders = [...new Set([...files.keys()].map((file) => posix.dirname(file)))].sort()
  const wholes = folders.filter((folder) => folders.some((other) => other.startsWith(`${folder}/`)))
  const row = (name: string, isIn: (file: string) => boolean): string => {
    const own = [...files].filter(([file]) => isIn(file)).map(([, sizes]) => sizes)
    const counts = [
      own.length,
      own.flatMap((one) => one.functionLines).length,
      own.reduce((sum, one) => sum + one.casts, 0),
    ]
    const cells = COLUMNS.map(([, numbersOf]) => {
      const numbers = own.flatMap(numbersOf)
      return [0.5, 0.95, 1].map((share) => quantile(numbers, share)).join(' / ')
    })
    return line(name, counts.map(String), cells)
  }
  return [
    'median / 95 % / maximum',
    line(
      '',
      ['files', 'funct.', 'casts'],
      COLUMNS.map(([title]) => title),
    ),
    ...folders.map((folder) => row(folder, (file) => posix.dirname(file) === folder)),
    ...wholes.map((folder) => row(`${folder}/**`, (file) => file.startsWith(`${folder}/`))),
  ]
}

const line = (name: string, counts: readonly string[], cells: readonly string[]): string =>
  name.padEnd(20) +
  counts.map((count) => count.padStart(7)).join('') +
  cells.map((cell) => cell.padStart(17)).join('')

if (import.meta.main) {
  argumentsOf({
    name: 'npm run sizes',
    does: 'Prints how large the files and functions of src are, and what browsers load of the console.',
  })
  const root = dirname(import.meta.dirname)
  const names = globSync('src/**/*.{ts,js}', { cwd: root }).sort()
  const sizes = names.map((file) => [file, sizesOf(file, readFileSync(join(root, file), 'utf8'))] as const)
  console.log(tableOf(new Map(sizes)).join('\n'))
  buildConsole()
  console.log(`\n${consoleTable(consoleFiles()).join('\n')}`)
}
