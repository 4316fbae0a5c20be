/**
 * Trying what a change would do without doing it. PUT /values is all or nothing, and its elements are in order: with a last
 * element that must fail, the service checks and does all those before it, and then takes everything back.
 */
import { putElements } from '../../../shared/importing/sending.ts'
import type { Client } from '../../../packages/client/client.ts'
import { ServiceError } from '../../../packages/client/service-error.ts'

/** Tries elements of PUT /values, each as JSON. Throws the `ServiceError` that they would be refused with. */
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

/** An id that no object has. */
export function randomId(): string {
  // `randomUUID` is for pages that came over HTTPS alone.
  const octets = crypto.getRandomValues(new Uint8Array(16))
  const digits = [...octets].map((octet) => octet.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
