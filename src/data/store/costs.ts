/** The work of the store in one unit, the row that is read in the order of an index, and how much of it is done where. */

/** How many rows work in a short view may look at: a few milliseconds, during which nothing else runs on SQLite. */
export const SHORT_VIEW_ROWS = 25_000

/** A statement costs as much as so many rows. So up to here, counting or probing costs less than a statement that avoids it. */
export const STATEMENT = 1_000

/** To look up a row by its key. Dialects know better what a probe in the middle of a search costs them (`probeCost`). */
export const PROBE = 10

/** To read a value and look into it. */
export const VALUE = 12

/** To read the values of all tags that an object may be expected to have. */
export const EVERY_VALUE = 100 * VALUE

/** So many rows of an index can be compared with a set in the time that it takes to look up one value. */
export const LOOKUP_IN_SET = 3

/** To sort a row within a statement, where the database itself has to. */
export const SORT = 8

/**
 * In a short view: how many objects a condition may match of which nothing says so before its rows are read, and how many rows
 * may be counted in all to make the plan.
 */
export const SHORT_MATCHES = 2_000
export const SHORT_COUNTED = 3 * SHORT_MATCHES

/** How many rows a statement may look at that cannot be stopped: they take less than a second. */
export const UNSTOPPED_ROWS = 4_000_000
