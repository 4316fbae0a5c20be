/** Shows where a query has an error, and suggests names for misspelt tags. */
import { ServiceError } from '../../packages/client/index.ts'
import { explain } from '../terminal/explanations.ts'
import { Failure, STATUS } from '../../common/failure.ts'
import { QueryFailure, underQuery } from '../terminal/query-error.ts'
import type { Connection } from './connect.ts'
import { nearestPath } from '../../common/connection/spelling.ts'

/** Runs work that sends this query. Throws a `QueryFailure` for an error in the query. */
export async function withQuery<T>(
  query: string,
  connection: Connection,
  work: () => Promise<T>,
): Promise<T> {
  return withSpelling(connection, work, (error, remedy) => {
    const text = underQuery(query, error, explain(error).what)
    return text === undefined
      ? undefined
      : new QueryFailure(text, error.errorClass === 'TParseError' ? '' : remedy, STATUS.failed, {
          cause: error,
        })
  })
}

/** Runs work that names tags and namespaces. If one does not exist, the error suggests the most similar existing path. */
export async function withSpelling<T>(
  connection: Connection,
  work: () => Promise<T>,
  failureOf: (error: ServiceError, remedy: string) => Failure | undefined = () => undefined,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const meant = await probablyMeant(connection, error)
    const { what, remedy } = explain(error)
    const better = meant === undefined ? remedy : `did you mean ${meant}?`
    const failure = failureOf(error, better)
    if (failure !== undefined) throw failure
    if (meant === undefined) throw error
    throw new Failure(`${what} [${error.errorClass ?? ''}]`, better, STATUS.failed, { cause: error })
  }
}

/** The existing tag or namespace whose path is most similar to the missing one. */
async function probablyMeant({ client }: Connection, error: ServiceError): Promise<string | undefined> {
  const { path } = error.facts
  if (path === undefined || !/^TNonexistent(Tag|Namespace)$/.test(error.errorClass ?? '')) return undefined
  try {
    return await nearestPath(client, path)
  } catch (failure) {
    // The error itself says enough without a suggestion.
    if (failure instanceof ServiceError || failure instanceof Failure) return undefined
    throw failure
  }
}
