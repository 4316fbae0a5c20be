/** One sample request per operation, built from the examples of the contract. */
import { examplesOf, type Operation } from './model.ts'
import { curlOf, pathOf } from './page/request.js'

/** The variable that the shell replaces with the user name and the password, `name:password`. */
const LOGIN = '"$GLOSS_LOGIN"'

/** The content of a body, with an example in the form in which it is sent. */
export interface ExampleBody {
  readonly summary: string
  /** The media type or media range under which the contract lists it. */
  readonly mediaType: string
  readonly contentType: string
  readonly text: string
}

/** The examples of an operation's body, by content type. */
export function exampleBodies({ body }: Operation): ExampleBody[] {
  return Object.entries(body?.content ?? {}).flatMap(([mediaType, content]) =>
    examplesOf(content).map(({ summary, value }) => {
      // A range covers everything without its own entry; text is covered by it, and can be displayed.
      const contentType = mediaType === '*/*' ? 'text/html' : mediaType
      const text = mediaType === '*/*' ? String(value) : JSON.stringify(value)
      return { summary, mediaType, contentType, text }
    }),
  )
}

/** The curl command for an operation. Optional headers are left out, and arguments without an example, such as cursors. */
export function exampleCurl(operation: Operation, base: string): string {
  const { method, path, parameters } = operation
  const valuesIn = (place: string): [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) =>
        examplesOf(parameter)
          .slice(0, 1)
          .flatMap(({ value }) => value)
          .map((value): [string, string] => [parameter.name, String(value)]),
      )
  const tail = parameters.find((parameter) => parameter['x-path-tail'])?.name
  const body = exampleBodies(operation)[0]
  return curlOf({
    method,
    url: base + pathOf(path, new Map(valuesIn('path')), tail),
    query: valuesIn('query'),
    headers: body === undefined ? [] : [['Content-Type', body.contentType]],
    login: LOGIN,
    body: body?.text,
  })
}
