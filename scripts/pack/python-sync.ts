/** Makes synchronous Python from asynchronous, so that both clients have one source. */

/** What asynchronous code has, and synchronous code in its place, in this order. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|for|with) /g, '$1 '],
  [/\bawait /g, ''],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\b_aio_/g, '_'],
  [/\b__a(enter|exit)__/g, '__$1__'],
  [/, Awaitable\b/g, ''],
  [/\bgloss_client\.aio\b/g, 'gloss_client'],
]

/** The synchronous form of a module. */
export function synchronous(text: string): string {
  return REPLACEMENTS.reduce((done, [asynchronous, plain]) => done.replaceAll(asynchronous, plain), text)
}
