/** The costs of the store's work, in units of reading one row in the order of an index; and the limits of work by place. */

/** How many rows a short view may read: this takes a few milliseconds, in which SQLite runs nothing else. */
export const SHORT_VIEW_ROWS = 25_000

/** The cost of a statement. Up to this number, counting or probing costs less than a statement that avoids it. */
export const STATEMENT = 1_000

/** The cost of looking up a row by its key. `probeCost` of a dialect is more exact for a probe within a search. */
export const PROBE = 10

/** The cost of reading a value and looking into it. */
export const VALUE = 12

/** The cost of reading the values of all tags on an object, by an assumed average. */
export const EVERY_VALUE = 100 * VALUE

/** How many rows of an index can be compared with a set in the time that it takes to look up one value. */
export const LOOKUP_IN_SET = 3

/** The cost of sorting a row within a statement, if the database itself has to. */
export const SORT = 8

/**
 * In a short view: how many objects a condition may match if nothing tells their number before its rows are read, and how
 * many rows may be counted in all to make the plan.
 */
export const SHORT_MATCHES = 2_000
export const SHORT_COUNTED = 3 * SHORT_MATCHES

/** How many rows a statement may read that cannot be stopped: this takes less than a second. */
export const UNSTOPPED_ROWS = 4_000_000
