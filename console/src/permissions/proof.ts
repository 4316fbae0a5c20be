/** Sends requests that change nothing, and whose answers show whether a user may do something. */
import { actionName, readPermission, type Action } from '../../../common/changing/policies.ts'
import type { Client } from '../../../packages/client/client.ts'
import { ServiceError } from '../../../packages/client/service-error.ts'

/** A request and its answer. */
export interface Proof {
  /** Its method and target. */
  readonly request: string
  readonly status: number
  readonly errorClass: string | undefined
}

/** Sends the request that shows whether the client's user may do this; undefined if every such request changes data. */
export async function prove(
  client: Client,
  path: string,
  action: Action,
  signal: AbortSignal,
): Promise<Proof | undefined> {
  const asked = requestFor(client, path, action, signal)
  if (asked === undefined) return undefined
  const request = `GET ${asked.target}`
  try {
    await asked.send()
    return { request, status: 200, errorClass: undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { request, status: error.status, errorClass: error.errorClass }
  }
}

interface Asked {
  readonly target: string
  send(): Promise<unknown>
}

function requestFor(client: Client, path: string, action: Action, signal: AbortSignal): Asked | undefined {
  const name = actionName(action)
  if (name === 'tag-values/read') {
    // A query may match too many objects, but the service can always suggest a value.
    const query = { tag: path, limit: 1 }
    return {
      target: `/search/suggest?tag=${path}&limit=1`,
      send: () => client.GET('/search/suggest', { params: { query }, signal }),
    }
  }
  if (name === 'namespaces/list') {
    const params = { path: { namespace_path: path } }
    return {
      target: `/namespaces/${path}`,
      send: () => client.GET('/namespaces/{namespace_path}', { params, signal }),
    }
  }
  if (action.action !== 'control') return undefined
  return {
    target: `/permissions/${action.category}/${path}?action=control`,
    send: () => readPermission(client, path, action, signal),
  }
}
