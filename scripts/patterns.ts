/**
 * Fails on a regular expression that may take more than linear time, because one text could then block a process (one of
 * the checks of `npm run check`). It checks every literal in the delivered code, but not patterns that code assembles.
 *
 * It caches its judgements, which depend only on the literal and the checker.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkSync } from 'recheck'
import ts from 'typescript'

/** A literal with its flags and position. */
export interface Pattern {
  readonly source: string
  readonly flags: string
  /** The file and the line. */
  readonly place: string
}

/** The regular expressions of a file. Those of a lexer are sticky: moo tries each at one position only. */
export function patternsOf(file: string, text: string): Pattern[] {
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Pattern[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1
      const flags = node.text.slice(end + 1) + (isInLexer(node) ? 'y' : '')
      found.push({ source: node.text.slice(1, end), flags, place: `${file}:${String(line)}` })
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

const isInLexer = (node: ts.Node): boolean =>
  ts.findAncestor(node, (one) => ts.isCallExpression(one) && one.expression.getText() === 'moo.compile') !==
  undefined

/**
 * The fault of a pattern; empty if the pattern takes linear time. The result does not depend on the speed of the machine.
 */
export function faultOf({ source, flags }: Pattern): string {
  // There is a faster checker, but not for every system.
  process.env.RECHECK_SYNC_BACKEND = 'pure'
  const judged = checkSync(source, flags, { timeout: null, attackTimeout: null, incubationTimeout: null })
  if (judged.status === 'safe') return ''
  if (judged.status === 'unknown') return `cannot be judged: ${judged.error.kind}`
  return `${judged.complexity.summary}, as with ${judged.attack.pattern}`
}

const ROOT = dirname(import.meta.dirname)
const CACHE = join(ROOT, 'var/checks/patterns.json')
const FILES = '{src,common,command,console/src,packages,mock}/**/*.{ts,tsx,js}'

interface Remembered {
  readonly judge: string
  readonly faults: Record<string, string>
}

function remembered(judge: string): Remembered['faults'] {
  try {
    const read = JSON.parse(readFileSync(CACHE, 'utf8')) as Remembered
    return read.judge === judge ? read.faults : {}
  } catch {
    return {}
  }
}

/** Checks all patterns; returns the faulty ones as text. */
function checkAll(): string[] {
  const judge = readFileSync(join(ROOT, 'node_modules/recheck/package.json'), 'utf8')
  const { version } = JSON.parse(judge) as { version: string }
  const known = remembered(version)
  const faults: Record<string, string> = {}
  const failed: string[] = []
  for (const file of globSync(FILES, { cwd: ROOT, exclude: ['**/node_modules'] }).sort()) {
    for (const pattern of patternsOf(file, readFileSync(join(ROOT, file), 'utf8'))) {
      const literal = `/${pattern.source}/${pattern.flags}`
      const fault = (faults[literal] ??= known[literal] ?? faultOf(pattern))
      if (fault !== '') failed.push(`${pattern.place} ${literal} ${fault}`)
    }
  }
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify({ judge: version, faults } satisfies Remembered))
  return failed
}

if (import.meta.main) {
  const failed = checkAll()
  for (const one of failed) console.error(one)
  process.exitCode = failed.length > 0 ? 1 : 0
}
