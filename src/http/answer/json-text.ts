/** JSON as text, with a type that says what it represents. Numbers that are stored as text stay exact. */

declare const represented: unique symbol

/** The JSON of a `T`. */
export type JsonText<T> = string & { readonly [represented]: T }

/** The JSON of a value. */
export const jsonText = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>

/** The JSON of an object, built from the JSON of its members, in order. Their names need no escaping. */
export function objectText<T>(members: { readonly [Name in keyof T]: JsonText<T[Name]> }): JsonText<T> {
  let text = ''
  for (const name in members) text += `${text === '' ? '' : ','}"${name}":${members[name]}`
  return `{${text}}` as JsonText<T>
}

/** The JSON of an object whose members have any names, in order. */
export const mapText = <T>(
  members: readonly (readonly [name: string, JsonText<T>])[],
): JsonText<Record<string, T>> =>
  `{${members.map(([name, json]) => `${jsonText(name)}:${json}`).join(',')}}` as JsonText<Record<string, T>>

/** The JSON of a list, built from the JSON of its items. */
export const listText = <T>(items: readonly JsonText<T>[]): JsonText<T[]> =>
  `[${items.join(',')}]` as JsonText<T[]>

/** The JSON before and after the contents of the only empty list or object in `empty`. */
export function frameOf(empty: object): { readonly before: string; readonly after: string } {
  const [before = '', after = ''] = JSON.stringify(empty).split(/(?<=[[{])(?=[\]}])/)
  return { before, after }
}
