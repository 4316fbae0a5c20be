/** Places that several rows of the directions name. */

export const ERRORS = ['error-classes', 'errors', 'name-lengths'].map((file) => `src/${file}`)

export const VALUES = [
  ...['error-classes', 'errors', 'folding', 'int64', 'json', 'name-lengths'],
  ...['once', 'paths', 'phrases', 'tag-value', 'borrowed-bytes', 'turns', 'words'],
].map((file) => `src/${file}`)

/** The checks. What makes rights of what they find is for them alone; of that, others import the types. */
export const CHECKS = ['namespace-permissions', 'permissions', 'policies', 'rule', 'user-rights'].map(
  (file) => `src/data/permissions/${file}`,
)

/** What asks for rights before it writes. The files below write rows for whoever has asked, and are for these alone. */
export const VALUE_ACCESS = ['encoding', 'object-reading', 'reading', 'set-writing', 'writing'].map(
  (file) => `src/data/values/${file}`,
)

/** What the command and the console do alike: it needs neither Node nor a terminal. */
export const SHARED = [
  ...['changing/change', 'changing/policies', 'changing/values'],
  ...['connection/access', 'connection/addresses', 'connection/curl', 'connection/spelling'],
  ...'converting encodings fields formats json-elements json-rows mapping refusals sampling sending transfer types'
    .split(' ')
    .map((file) => `importing/${file}`),
  ...['terminal/cells', 'terminal/failure', 'terminal/sentences'],
].map((file) => `command/${file}`)

/** Places that rows of the directions name together, and ARCHITECTURE by these words. */
export const GROUPS = {
  'value types': VALUES,
  checks: CHECKS,
  'access to values': VALUE_ACCESS,
  shared: SHARED,
}
