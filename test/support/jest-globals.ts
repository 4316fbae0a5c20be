/** Replaces `@jest/globals` in test files that Node loads (run-in-node.ts), with bindings that change for each file. */
import type * as Jest from '@jest/globals'

/** The names that test files may import. */
export type JestGlobals = Pick<
  typeof Jest,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'jest' | 'test'
>

export let afterAll: JestGlobals['afterAll']
export let afterEach: JestGlobals['afterEach']
export let beforeAll: JestGlobals['beforeAll']
export let beforeEach: JestGlobals['beforeEach']
export let describe: JestGlobals['describe']
export let expect: JestGlobals['expect']
export let it: JestGlobals['it']
export let jest: JestGlobals['jest']
export let test: JestGlobals['test']

/** Sets the bindings for the next file. */
export function provideGlobals(globals: JestGlobals): void {
  ;({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals)
}
