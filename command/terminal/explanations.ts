/** Explains each class of errors to users of the command: what happened, and what they should do. */
import type { ErrorClass } from '../../src/model/errors.ts'
import type { ServiceError } from '../../packages/client/index.ts'
import type { Explanation, Hints } from '../../common/sentences.ts'
import * as sentences from '../../common/sentences.ts'

const HINTS: Hints = {
  MalformedPayload: 'correct the body: gloss --verbose shows it',
  NoSuchObject: 'check its spelling, or make the object with gloss tag',
  TNonexistentNamespace: 'check its spelling: gloss ls shows what there is',
  TNonexistentTag: 'check its spelling: gloss ls shows what there is; gloss tag makes a new one',
  TNoInstanceOnObject: 'write one with gloss tag, or ask for another tag',
  TPathPermissionDenied:
    'sign in as a user who may (gloss login), or ask one who controls it (gloss perms who)',
  TUnauthorized: 'sign in: gloss login, or --as USER',
  WrongCredentials: 'check the user name and the password: gloss login keeps new ones',
  TPreconditionFailed: 'it was changed meanwhile: read it again, then retry',
}

/** Explains a class without a request, by an example. */
export const explainClass = (errorClass: ErrorClass): Explanation => sentences.explainClass(errorClass, HINTS)

/** Explains an error answer. The hint of the service knows the request and replaces the hint here. */
export const explain = (error: ServiceError): Explanation => sentences.explain(error, HINTS)
