/** Every operation of the contract and its handler. */
import * as about from './about.ts'
import * as check from './check.ts'
import * as description from './description.ts'
import * as facets from './facets.ts'
import type { Handlers } from '../http/handler.ts'
import * as moves from './moves.ts'
import * as namespaces from './namespaces.ts'
import * as objects from './objects.ts'
import * as permissions from './permissions.ts'
import * as recent from './recent.ts'
import * as search from './search.ts'
import * as suggestions from './suggestions.ts'
import * as tags from './tags.ts'
import * as users from './users.ts'
import * as values from './values.ts'

export const handlers: Handlers = {
  ...about,
  ...check,
  ...description,
  ...facets,
  ...moves,
  ...namespaces,
  ...objects,
  ...permissions,
  ...recent,
  ...search,
  ...suggestions,
  ...tags,
  ...users,
  ...values,
}
