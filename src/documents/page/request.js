/** A request's path, and the request as a command for the shell; shared by the reference and the page that sends. */

/**
 * The path of a request: a template of the contract with its parameters put in.
 *
 * @param {string} template
 * @param {ReadonlyMap<string, string>} values the parameters by name
 * @param {string} [tail] the name of the one whose slashes stay as they are
 * @returns {string}
 */
export const pathOf = (template, values, tail) =>
  template.replaceAll(/\{(\w+)\}/g, (_match, name) => {
    const value = values.get(name) ?? ''
    return name === tail ? value.split('/').map(segmentOf).join('/') : segmentOf(value)
  })

/**
 * A text as one segment of a path; a colon may stand in one as it is.
 *
 * @param {string} text
 * @returns {string}
 */
const segmentOf = (text) => encodeURIComponent(text).replaceAll('%3A', ':')

/** @typedef {readonly (readonly [name: string, value: string])[]} Pairs */

/**
 * The curl command that sends a request, with a line for each header and argument.
 *
 * @param {object} request
 * @param {string} request.method
 * @param {string} request.url without a query string
 * @param {Pairs} request.query
 * @param {Pairs} request.headers
 * @param {string | undefined} request.login who asks, as the shell reads it
 * @param {string | undefined} request.body
 * @returns {string}
 */
export function curlOf({ method, url, query, headers, login, body }) {
  const alone = body === undefined
  // curl makes either a query string or a body of its data, not both.
  const search = alone ? '' : String(new URLSearchParams(query.map(([name, value]) => [name, value])))
  const target = [
    'curl',
    ...methodOptions(method, alone, alone && query.length > 0),
    ...(login === undefined ? [] : [`-u ${login}`]),
    shellWord(search === '' ? url : `${url}?${search}`),
  ].join(' ')
  const sent = [
    ...headers.map(([name, value]) => `-H ${shellWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(alone
      ? query.map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`)
      : [`--data-raw ${shellWord(body)}`]),
  ]
  return [target, ...sent].join(' \\\n  ')
}

/**
 * The options that make curl use a method, which is GET by itself without data and POST with them.
 *
 * @param {string} method
 * @param {boolean} alone without a body
 * @param {boolean} asQuery whether the data go into the query string
 * @returns {string[]}
 */
function methodOptions(method, alone, asQuery) {
  const query = asQuery ? ['-G'] : []
  if (method === 'HEAD') return ['-I', ...query]
  return method === (alone ? 'GET' : 'POST') ? query : [...query, `-X ${method}`]
}

/**
 * A text as one word of a POSIX shell.
 *
 * @param {string} text
 * @returns {string}
 */
export const shellWord = (text) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
