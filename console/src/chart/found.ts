/** Links to objects in results. */
import { cellText, visible } from '../../../common/values.ts'
import { hrefOf } from '../route.ts'
import type { Found } from '../service/page.ts'

/** The URL of an object in the console. */
export const hrefOfFound = ({ id, about }: Found): string =>
  about === null ? hrefOf('object', ['id', id]) : hrefOf('object', ['about', about])

/** The title of an object: the value of a tag for names if it has one. */
export function titleOf({ id, about, values }: Found, name: string | undefined): string {
  const named = name === undefined ? '' : cellText(values[name])
  return visible(named === '' ? (about ?? id) : named)
}
