/** What PUT /values takes: a query that names one object, and the values to put on it. */
export type Element = [query: string, values: Record<string, { value: unknown }>]

/** The element for the object with an about value. Values that are undefined, or lists without items, are left out. */
export function elementAbout(
  about: string,
  namespace: string,
  values: Readonly<Record<string, unknown>>,
): Element {
  const known = Object.entries(values).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return [
    `service/about = "${about}"`,
    Object.fromEntries(known.map(([name, value]) => [`${namespace}/${name}`, { value }])),
  ]
}

/** The service distinguishes ints and floats, but JSON does not: a whole float needs its fraction written out. */
export function float(number: number): unknown {
  return JSON.rawJSON(Number.isInteger(number) ? number.toFixed(1) : String(number))
}
