/** The parts of better-sqlite3 that the benchmark uses; the package has no types. */
declare module 'better-sqlite3' {
  export interface Statement {
    readonly reader: boolean
    all(...values: unknown[]): unknown[]
    get(...values: unknown[]): unknown
    iterate(...values: unknown[]): Iterator<unknown>
    run(...values: unknown[]): { readonly changes: number }
    pluck(): this
    raw(): this
  }
  export default class Database {
    constructor(file: string)
    pragma(text: string, options?: { readonly simple: boolean }): unknown
    prepare(text: string): Statement
    exec(text: string): void
    close(): void
  }
}
