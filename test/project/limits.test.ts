/** The files that may be over a limit of size are over it, by the number that their row says. */
import { dirname, relative } from 'node:path'
import { expect, test } from '@jest/globals'
import { ESLint, type Linter } from 'eslint'
import { EXCEPTIONS, limits } from '../../eslint.config.js'

const root = dirname(dirname(import.meta.dirname))
const untyped: Linter.Config = { languageOptions: { parserOptions: { project: false } } }
const rules = new Set(limits.flatMap((row) => Object.keys(row.rules)))

test('each exception is needed, and no larger than what it is for', async () => {
  const eslint = new ESLint({
    cwd: root,
    overrideConfig: [untyped, ...(limits as Linter.Config[])],
    ruleFilter: ({ ruleId }) => rules.has(ruleId),
    // A file that is gone has nothing over a limit, which is what its row is compared with.
    errorOnUnmatchedPattern: false,
  })
  const over: Record<string, Record<string, number>> = {}
  for (const { filePath, messages } of await eslint.lintFiles(Object.keys(EXCEPTIONS))) {
    const largest: Record<string, number> = {}
    for (const { ruleId, message } of messages) {
      const rule = ruleId ?? message
      largest[rule] = Math.max(largest[rule] ?? 0, numberIn(message))
    }
    over[relative(root, filePath)] = largest
  }
  expect(EXCEPTIONS).toEqual(over)
})

/** What was counted: the first number of a message, behind which the limit stands. */
function numberIn(message: string): number {
  const [, number] = /(\d+)\D+\d+\.$/.exec(message) ?? []
  if (number === undefined) throw new Error(`no number in: ${message}`)
  return Number(number)
}
