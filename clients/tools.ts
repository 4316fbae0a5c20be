/** What tools make of the contract: those in `clients/`, and some that were tried by hand. */
import { CELLS } from './cells.ts'
import { markdown } from './markdown.ts'

/** What was tried; a client in `clients/` that is green has done all of it. */
const COLUMNS = ['reads', 'signs in', 'writes', 'int64', 'opaque', 'slash', 'query'] as const

/** `r` needs the setting of the row. */
const MARKS: Readonly<Record<string, string>> = { y: 'yes', r: 'set', n: 'no', '-': '–' }

interface Tool {
  /** The folder of a client in `clients/`, or the name and version of a tool that was tried by hand. */
  readonly tool: string
  /** One mark for each column. */
  readonly marks: string
  /** What to set or to know, in a line. */
  readonly setting: string
}

const TOOLS: readonly Tool[] = [
  { tool: 'openapi-typescript', marks: 'yyyyyyy', setting: '' },
  { tool: 'gloss-client', marks: 'yyyyyyy', setting: '' },
  { tool: 'hey-api', marks: 'yyrrryy', setting: '`JSON.rawJSON`; `bodySerializer: null` for bytes' },
  {
    tool: 'orval',
    marks: 'rrrrrry',
    setting: 'a fetcher that keeps bytes; `encodeURIComponent` for paths',
  },
  {
    tool: 'kubb',
    marks: 'yrrrrrr',
    setting: 'a fetcher that repeats arguments and keeps bytes; `encodeURIComponent` for paths',
  },
  {
    tool: 'swagger-typescript-api',
    marks: 'rrrrrry',
    setting: 'a `customFetch` with ready-made bodies; `encodeURIComponent` for paths',
  },
  {
    tool: 'openapi-generator-typescript-fetch',
    marks: 'yyrrryy',
    setting: '`withoutRuntimeChecks`; the body of null and bytes in `init`',
  },
  {
    tool: 'openapi-generator-typescript-axios',
    marks: 'ryrrryy',
    setting: 'values as JSON texts; `responseType`; `Accept: */*`',
  },
  {
    tool: 'swagger-client',
    marks: 'yyrrryy',
    setting: 'values as JSON texts; a `requestInterceptor` for null and bytes',
  },
  {
    tool: 'openapi-client-axios',
    marks: 'yyrryyr',
    setting: 'values as JSON texts with their `Content-Type`; `paramsSerializer: { indexes: null }`',
  },
  {
    tool: 'openapi-generator-python',
    marks: 'yyryryr',
    setting: '`ValueEntry: object`; null by PUT `/values`; `call_api` for bytes',
  },
  { tool: 'openapi-python-client', marks: 'yryyryy', setting: 'bytes by its httpx client' },
  {
    tool: 'openapi-generator-java',
    marks: 'rrrrryr',
    setting: 'unions as `JsonNode`; an interceptor that signs in and sends bytes',
  },
  {
    tool: 'openapi-generator-kotlin',
    marks: 'rrrrryr',
    setting:
      '`enumPropertyNaming: UPPERCASE`; Jackson, unions as `JsonNode`; an interceptor that signs in and sends bytes',
  },
  {
    tool: 'openapi-generator-go',
    marks: 'yyrrryy',
    setting: 'a `RoundTripper` for 5.0, null and bytes; numbers from the body',
  },
  {
    tool: 'oapi-codegen',
    marks: 'yryyyyy',
    setting: 'a `RequestEditorFn` that signs in; errors from the plain answer',
  },
  {
    tool: 'ogen',
    marks: 'yyryryy',
    setting: '`ErrorClass` as a string; bytes and 5.0 by `net/http`',
  },
  {
    tool: 'openapi-generator-php',
    marks: 'ryrrryr',
    setting: 'values as JSON texts; the methods in `…Request` for reading',
  },
  {
    tool: 'openapi-generator-ruby',
    marks: 'yyryrrr',
    setting: '`%20` for `+` in paths; `params_encoding = :multi`; strings as JSON texts',
  },
  {
    tool: 'openapi-generator-rust',
    marks: 'ryrrrry',
    setting: '`/openapi-3.0.json`; middleware that corrects `Content-Type` and `+` in paths',
  },
  // Tried by hand.
  {
    tool: 'oazapfts 7.5.0',
    marks: 'rrrnnyy',
    setting:
      '`Accept: */*` for values; `Content-Type: application/vnd.service.value+json`, or what it writes is opaque',
  },
  {
    tool: 'openapi-zod-client 1.18.3, Zodios',
    marks: 'yrrnnrr',
    setting:
      '`encodeURIComponent` for about values alone; values as JSON texts with their `Content-Type`, or they are opaque; `paramsSerializer: { indexes: null }`',
  },
  {
    tool: '@rtk-query/codegen-openapi 2.2.0',
    marks: 'rrrnnrn',
    setting:
      '`encodePathParams: true`; values as JSON texts; `Accept: */*` and the `Content-Type` of values in `prepareHeaders`, or they are opaque; one `tag` in a request',
  },
  {
    tool: 'openapi-typescript-codegen 0.31.0',
    marks: 'ryrnnry',
    setting: '`OpenAPI.ENCODE_PATH = encodeURIComponent`; strings as JSON texts; `Accept: */*` for values',
  },
  {
    tool: 'swagger-codegen 3.0.57, python',
    marks: 'yyrrnyy',
    setting:
      'a `select_header_content_type` that returns `application/vnd.service.value+json`, or what it writes is opaque',
  },
  {
    tool: 'aiopenapi3 0.11.0',
    marks: 'yynnn-y',
    setting: 'it refuses the content type of values, and an error is an answer of `None`',
  },
  {
    tool: 'datamodel-code-generator 0.89.0',
    marks: '---y---',
    setting: 'models alone',
  },
  {
    tool: 'openapi-core 0.23.1',
    marks: 'r-ry-ny',
    setting:
      'a validator: `extra_media_type_deserializers` for values. It refuses `%2F` in paths of tags, and does not find those with `/`',
  },
  {
    tool: 'openapi-msw 2.0.0 (MSW)',
    marks: 'r-y-ryy',
    setting: 'a mock: `response.untyped` for answers with values. It matches `/` in arguments only as `%2F`',
  },
  {
    tool: 'FastMCP 4.2.3',
    marks: 'yrrynyy',
    setting: 'an httpx2 client that signs in; null by `putValues`. An error is its status alone',
  },
  {
    tool: '@ivotoby/openapi-mcp-server 1.16.1',
    marks: 'nnnnnnn',
    setting:
      'clients refuse its list of tools: two have, for the union that is their body, inputs that are no objects',
  },
  {
    tool: 'openapi-mcp-generator 4.0.1',
    marks: 'nyrnnyn',
    setting:
      '`BASIC_USERNAME_BASIC` and `BASIC_PASSWORD_BASIC`; values as JSON texts; it cannot read them, and has one `tag` in a request',
  },
  {
    tool: 'openapi-to-postmanv2 6.3.3 (Postman)',
    marks: '-yr----',
    setting: '"Enable optional parameters" off. Its requests were read, not sent',
  },
  {
    tool: '@apideck/portman 1.33.0 (Postman)',
    marks: '-------',
    setting: 'tslib, which it lacks; `?view=api`. Its collection was made, not sent',
  },
  {
    tool: '@usebruno/cli 4.1.0 (Bruno)',
    marks: 'yyr--r-',
    setting:
      'the `Content-Type` of values, or they are opaque; `encodeURIComponent` for about values, without `encodeUrl`',
  },
  {
    tool: 'progenitor 0.15.1 (Rust)',
    marks: 'nnnnnnn',
    setting:
      'it reads 3.0 alone, takes no body with two content types, and makes no code of an enumeration of signs such as `=` and `!=`',
  },
  {
    tool: 'openapi-generator 7.25.0, csharp',
    marks: '-------',
    setting: '`/openapi-3.0.json`. It was generated, not compiled',
  },
]

/** The table, as Markdown. The clients in `red` have failed today. */
export function toolsTable(red: ReadonlySet<string>): string {
  const rows = TOOLS.map(({ tool, marks, setting }) => {
    const name = CELLS.find(({ folder }) => folder === tool)?.generator ?? tool
    const cells = [...marks].map((mark) => MARKS[red.has(tool) ? 'n' : mark] ?? '')
    return [name, ...cells, setting]
  })
  return markdown(['Tool', ...COLUMNS, 'What to set'], rows)
}
