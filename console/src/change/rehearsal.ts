/**
 * Tests a change without making it. PUT /values is atomic and processes its elements in order. With a last element that
 * must fail, the service checks and executes all elements before it, and then rolls everything back.
 */
import { putElements } from '../../../common/importing/sending.ts'
import type { Client } from '../../../packages/client/client.ts'
import { ServiceError } from '../../../packages/client/service-error.ts'

/** Tests elements of PUT /values, each as JSON. Throws the `ServiceError` with which the service would refuse them. */
export async function rehearse(client: Client, elements: readonly string[]): Promise<void> {
  const nowhere = `rehearsal/${randomId()}`
  const last = JSON.stringify([`has ${nowhere}`, {}])
  try {
    await putElements(client, [...elements, last])
  } catch (error) {
    const isLast = error instanceof ServiceError && error.facts['path'] === nowhere
    if (!isLast) throw error
  }
}

/** A random id, which no object has. */
export function randomId(): string {
  // `randomUUID` is available only on pages over HTTPS.
  const octets = crypto.getRandomValues(new Uint8Array(16))
  const digits = [...octets].map((octet) => octet.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
