/** One request for each operation, from the examples of the contract. */
import { examplesOf, type Operation } from './model.ts'
import { curlOf, pathOf } from './page/request.js'

/** What the shell puts in for the user name and the password, `name:password`. */
const LOGIN = '"$GLOSS_LOGIN"'

/** The content of a body, and an example of it as it is sent. */
export interface ExampleBody {
  readonly summary: string
  /** The media type or range that the contract gives it under. */
  readonly mediaType: string
  readonly contentType: string
  readonly text: string
}

/** The examples of an operation's body, by content type. */
export function exampleBodies({ body }: Operation): ExampleBody[] {
  return Object.entries(body?.content ?? {}).flatMap(([mediaType, content]) =>
    examplesOf(content).map(({ summary, value }) => {
      // A range stands for whatever is no other content; text is, and can be shown.
      const contentType = mediaType === '*/*' ? 'text/html' : mediaType
      const text = mediaType === '*/*' ? String(value) : JSON.stringify(value)
      return { summary, mediaType, contentType, text }
    }),
  )
}

/** The curl command of an operation; what is optional in headers is left out. */
export function exampleCurl(operation: Operation, base: string): string {
  const { method, path, parameters } = operation
  const valuesIn = (place: string): [string, string][] =>
    parameters
      .filter((parameter) => parameter.in === place)
      .flatMap((parameter) =>
        [examplesOf(parameter)[0]?.value]
          .flat()
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
