/** The operations of the contract. Made from generated/openapi.yaml by scripts/client-operations.ts. */
import type { operations } from './openapi.d.ts'

/** The version of the contract that this client was made from. */
export const contractVersion = '1.0.0-rc.2'

/** The method and the path of each operation. */
export const OPERATIONS = {
  getObjectByAbout: ['GET', '/about/{about_value}'],
  createObjectByAbout: ['POST', '/about/{about_value}'],
  deleteValueByAbout: ['DELETE', '/about/{about_value}/{tag_path}'],
  getNamespace: ['GET', '/namespaces/{namespace_path}'],
  createNamespace: ['POST', '/namespaces/{namespace_path}'],
  putNamespace: ['PUT', '/namespaces/{namespace_path}'],
  deleteNamespace: ['DELETE', '/namespaces/{namespace_path}'],
  getTag: ['GET', '/tags/{tag_path}'],
  createTag: ['POST', '/tags/{tag_path}'],
  putTag: ['PUT', '/tags/{tag_path}'],
  deleteTag: ['DELETE', '/tags/{tag_path}'],
  movePath: ['POST', '/moves'],
  findObjects: ['GET', '/objects'],
  createObject: ['POST', '/objects'],
  getObject: ['GET', '/objects/{object_id}'],
  deleteValue: ['DELETE', '/objects/{object_id}/{tag_path}'],
  getNamespacePermission: ['GET', '/permissions/namespaces/{namespace_path}'],
  putNamespacePermission: ['PUT', '/permissions/namespaces/{namespace_path}'],
  getTagPermission: ['GET', '/permissions/tags/{tag_path}'],
  putTagPermission: ['PUT', '/permissions/tags/{tag_path}'],
  getTagValuePermission: ['GET', '/permissions/tag-values/{tag_path}'],
  putTagValuePermission: ['PUT', '/permissions/tag-values/{tag_path}'],
  createUser: ['POST', '/users'],
  getUser: ['GET', '/users/{username}'],
  putUser: ['PUT', '/users/{username}'],
  deleteUser: ['DELETE', '/users/{username}'],
  getValues: ['GET', '/values'],
  putValues: ['PUT', '/values'],
  deleteValues: ['DELETE', '/values'],
  searchObjects: ['GET', '/search'],
  getFacets: ['GET', '/search/facets'],
  getSuggestions: ['GET', '/search/suggest'],
  checkQuery: ['POST', '/search/check'],
  getRecentOnObject: ['GET', '/recent/objects/{object_id}'],
  getRecentOnAbout: ['GET', '/recent/about/{about_value}'],
  getRecentByUser: ['GET', '/recent/users/{username}'],
  getRecentOnObjects: ['GET', '/recent/objects'],
  getRecentByUsers: ['GET', '/recent/users'],
} as const

/** The types of each operation. */
export interface Operations {
  /**
   * Get the object with an about value.
   *
   * The id of the object, and the paths of those of its tags that the caller may read.
   *
   * Errors: UnknownAcceptType, NoSuchObject, NoSuchResource.
   */
  getObjectByAbout: operations['getObjectByAbout']
  /**
   * Create the object with an about value.
   *
   * Creates an object with the about value. When there already is one, nothing changes and the answer names that object, so this is how to get "the object about X" without asking first. Credentials are required; any user may do this.
   *
   * Errors: UnknownAcceptType, TUnauthorized, NoSuchResource.
   */
  createObjectByAbout: operations['createObjectByAbout']
  /**
   * Delete a tag value from the object with an about value.
   *
   * Takes the value of the tag off that object. If the object has none, that is not an error. Needs DELETE on the values of the tag. `If-Match` and `If-None-Match` count only for those who also have READ on them.
   *
   * Errors: TPathPermissionDenied, TNonexistentTag, NoSuchObject, TPreconditionFailed.
   */
  deleteValueByAbout: operations['deleteValueByAbout']
  /**
   * Get a namespace.
   *
   * The id of the namespace's object and, on request, its description and the sorted names of what it holds. Needs LIST on the namespace.
   *
   * Errors: UnknownAcceptType, TPathPermissionDenied, TNonexistentNamespace, NoSuchResource.
   */
  getNamespace: operations['getNamespace']
  /**
   * Create a namespace in the namespace of the path.
   *
   * Creates the namespace `name` in the namespace of the path, with a copy of its permissions. Namespaces of the path that do not exist are created on the way. Needs CREATE on the nearest one that exists. Top-level namespaces are created only with their users.
   *
   * Errors: PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, TInvalidPath, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, UnknownAcceptType, TPathPermissionDenied, TNonexistentNamespace, NoSuchResource, TNamespaceAlreadyExists.
   */
  createNamespace: operations['createNamespace']
  /**
   * Change a namespace's description.
   *
   * Replaces the description. Nothing else about a namespace can be changed. Needs UPDATE on it. `If-Match` counts only for those who also have LIST.
   *
   * Errors: PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNonexistentNamespace, NoSuchResource, TPreconditionFailed.
   */
  putNamespace: operations['putNamespace']
  /**
   * Delete an empty namespace.
   *
   * Deletes a namespace that holds neither namespaces nor tags. Needs DELETE on it. A top-level namespace is deleted only with its user; here it is a 401 for everybody. `If-Match` counts only for those who also have LIST.
   *
   * Errors: TPathPermissionDenied, TNonexistentNamespace, NoSuchResource, TNamespaceNotEmpty, TPreconditionFailed.
   */
  deleteNamespace: operations['deleteNamespace']
  /**
   * Get a tag.
   *
   * The id of the tag's object, whether its values are indexed and, on request, its description. No permission is needed.
   *
   * Errors: UnknownAcceptType, TNonexistentTag, NoSuchResource.
   */
  getTag: operations['getTag']
  /**
   * Create a tag in the namespace of the path.
   *
   * Creates the tag `name` in a namespace: **here the path is that of the containing namespace**, and the new tag is `{tag_path}/{name}`. It creates the tag itself, not a value on any object. Namespaces of the path that do not exist are created on the way. Needs CREATE on the nearest one that exists. A namespace may hold a tag and a namespace of the same name.
   *
   * Errors: PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, TInvalidPath, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, UnknownAcceptType, TPathPermissionDenied, TNonexistentNamespace, NoSuchResource, TTagAlreadyExists.
   */
  createTag: operations['createTag']
  /**
   * Change a tag's description.
   *
   * Replaces the description. Nothing else about a tag can be changed, not even `indexed`. Needs UPDATE on the tag.
   *
   * Errors: PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNonexistentTag, NoSuchResource, TPreconditionFailed.
   */
  putTag: operations['putTag']
  /**
   * Delete a tag and all its values.
   *
   * Deletes the tag and every value of it, on every object and whoever wrote it. Needs DELETE on the tag.
   *
   * Errors: TPathPermissionDenied, TNonexistentTag, NoSuchResource, TPreconditionFailed.
   */
  deleteTag: operations['deleteTag']
  /**
   * Rename or move a tag or a namespace.
   *
   * Gives a tag, or a namespace with all that is below it, another name or another parent within its top-level namespace. Ids, values, descriptions and permissions stay as they are, and so do the about values of the objects; `service/tags/path` and `service/namespaces/path` follow. All paths change at once: no reader sees one of them twice, or an old beside a new one. Afterwards nothing is at the old path. A name that is made there anew has nothing to do with the one that moved, and its object has no about value while the other one exists. Needs DELETE on the tag or namespace, and CREATE on the namespace that `to` is in, which must exist. The service's own tags and namespaces and the top-level ones cannot move. At most 10,000 names may be below a namespace. `If-Match` is not looked at.
   *
   * Errors: PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, TInvalidPath, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNonexistentTag, TNonexistentNamespace, TTagAlreadyExists, TNamespaceAlreadyExists, TooManyObjects.
   */
  movePath: operations['movePath']
  /**
   * Find objects by a query.
   *
   * The ids of all objects that the query matches, in ascending order. Needs READ on every tag in the query.
   *
   * Errors: TParseError, MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  findObjects: operations['findObjects']
  /**
   * Create an object.
   *
   * Creates an object, with an about value if one is given. When there already is an object with that about value, nothing changes and the answer names that object. Credentials are required; any user may do this. The body may be left out.
   *
   * Errors: InvalidPayloadField, UnknownPayloadField, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, UnknownAcceptType, TUnauthorized.
   */
  createObject: operations['createObject']
  /**
   * Get an object.
   *
   * The sorted paths of those of the object's tags that the caller may read and, on request, its about value. Values are not returned. Every UUID is an object: one that was never mentioned has no tags.
   *
   * Errors: UnknownAcceptType, NoSuchResource.
   */
  getObject: operations['getObject']
  /**
   * Delete a tag value from an object.
   *
   * Takes the value of the tag off the object. If the object has none, that is not an error. Needs DELETE on the values of the tag. `If-Match` and `If-None-Match` count only for those who also have READ on them.
   *
   * Errors: TPathPermissionDenied, TNonexistentTag, NoSuchResource, TPreconditionFailed.
   */
  deleteValue: operations['deleteValue']
  /**
   * Get a permission on a namespace.
   *
   * Who may create things in a namespace, update, delete, list or control it. Needs CONTROL.
   *
   * Errors: MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentNamespace, NoSuchResource.
   */
  getNamespacePermission: operations['getNamespacePermission']
  /**
   * Set a permission on a namespace.
   *
   * Replaces the policy and the exceptions of one action. Needs CONTROL. Anonymous requests may never do more than list and read, so `anon` can be an exception only for those two actions; superusers cannot be exceptions at all.
   *
   * Errors: TInvalidPolicy, TInvalidUsername, MissingArgument, PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNonexistentNamespace, NoSuchResource, TNoSuchUser, TPreconditionFailed.
   */
  putNamespacePermission: operations['putNamespacePermission']
  /**
   * Get a permission on a tag.
   *
   * Who may update, delete or control a tag itself. Needs CONTROL.
   *
   * Errors: MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, NoSuchResource.
   */
  getTagPermission: operations['getTagPermission']
  /**
   * Set a permission on a tag.
   *
   * Replaces the policy and the exceptions of one action. Needs CONTROL. Anonymous requests may never do more than list and read, so `anon` can be an exception only for those two actions; superusers cannot be exceptions at all.
   *
   * Errors: TInvalidPolicy, TInvalidUsername, MissingArgument, PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNonexistentTag, NoSuchResource, TNoSuchUser, TPreconditionFailed.
   */
  putTagPermission: operations['putTagPermission']
  /**
   * Get a permission on the values of a tag.
   *
   * Who may write, read, delete or control the values of a tag, on whatever object. Needs CONTROL.
   *
   * Errors: MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, NoSuchResource.
   */
  getTagValuePermission: operations['getTagValuePermission']
  /**
   * Set a permission on the values of a tag.
   *
   * Replaces the policy and the exceptions of one action. Needs CONTROL. Anonymous requests may never do more than list and read, so `anon` can be an exception only for those two actions; superusers cannot be exceptions at all.
   *
   * Errors: TInvalidPolicy, TInvalidUsername, MissingArgument, PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNonexistentTag, NoSuchResource, TNoSuchUser, TPreconditionFailed.
   */
  putTagValuePermission: operations['putTagValuePermission']
  /**
   * Create a user.
   *
   * Creates a user with the role `user`, their top-level namespace and the namespace `private` in it, which nobody else may list. For superusers only.
   *
   * Errors: TInvalidUsername, TUsernameTooLong, PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, UnknownAcceptType, TPathPermissionDenied, TUserAlreadyExists.
   */
  createUser: operations['createUser']
  /**
   * Get a user.
   *
   * The id of the user's object, and the user's name. No permission is needed.
   *
   * Errors: UnknownAcceptType, TNoSuchUser.
   */
  getUser: operations['getUser']
  /**
   * Change a user.
   *
   * Changes what the body names and leaves the rest; a body that names nothing, or no body, changes nothing. Users may change themselves, and superusers everybody; only superusers may change `role`. The roles of the built-in users `service` and `anon` cannot be changed.
   *
   * Errors: InvalidPayloadField, UnknownPayloadField, TInvalidUsername, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, TPathPermissionDenied, TNoSuchUser, TPreconditionFailed.
   */
  putUser: operations['putUser']
  /**
   * Delete a user.
   *
   * Deletes a user with their top-level namespace, which must be empty, or hold only an empty namespace `private`. The user disappears from every list of exceptions. For superusers only; the built-in users cannot be deleted.
   *
   * Errors: TInvalidUsername, TPathPermissionDenied, TNoSuchUser, TNamespaceNotEmpty, TPreconditionFailed.
   */
  deleteUser: operations['deleteUser']
  /**
   * Get many tag values.
   *
   * The values of the requested tags on every object that the query matches. An object that lacks a tag has no entry for it; one that lacks them all is an empty object in the answer. `tag=*` asks for every tag that the caller may read. Opaque values are described, not included. Needs READ on every tag in the query and every tag requested by name, whatever the query matches.
   *
   * Errors: TParseError, MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  getValues: operations['getValues']
  /**
   * Set many tag values.
   *
   * Sets the tag values of each element, in order, on every object that its query matches. It is all or nothing: when one element fails, none has an effect. Each element sees what those before it wrote. Tags and namespaces that do not exist are created as with a single value, even when a query matches nothing. An element whose whole query is `service/about = "…"` creates the object when there is none; no other query does. Needs READ on every tag in the queries, and WRITE on the values of every tag set (for a new one, CREATE on the nearest namespace). Without credentials it succeeds only where there is nothing to set.
   *
   * Errors: MalformedPayload, MissingPayload, NoContentTypeHeader, UnknownContentType, PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, UnsupportedJSONType, TParseError, TInvalidPath, UnknownContentEncoding, TPathPermissionDenied, TUnauthorized, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  putValues: operations['putValues']
  /**
   * Delete many tag values.
   *
   * Takes the values of the named tags off every object that the query matches. `tag=*` stands for every tag whose values the caller may delete. Needs READ on every tag in the query and DELETE on the values of every tag named, whatever the query matches.
   *
   * Errors: TParseError, MissingArgument, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  deleteValues: operations['deleteValues']
  /**
   * Search, page by page.
   *
   * One page of the objects that the query matches, in the order of a tag's values, with the requested values. `next` leads to the following page: send it as `cursor` with the same query, sort and tags. Following `next` to the end shows each object once whose values did not change meanwhile. Needs READ on every tag in the query, on every tag requested by name, and on the tag to sort by, whatever the query matches.
   *
   * Values are in the order null, false, true, numbers, strings by code points, lists, opaque ones. An id decides between equal ones, between lists, between opaque values, and between strings that do not differ in their first 1,024 bytes. Objects without the tag come last, in either direction.
   *
   * Errors: TParseError, MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  searchObjects: operations['searchObjects']
  /**
   * Count the values of tags on the objects that a query matches.
   *
   * What values the named tags have on the objects that the query matches: on how many objects, of what types, which are the most frequent, and how numbers spread. Needs READ on every tag in the query and every tag named, whatever the query matches.
   *
   * Numbers that compare as equal are one value, whether they are ints or floats; it is shown as an int if any of these objects has it as one, and minus zero as zero. The values that `top` counts are null, booleans, numbers and strings; of lists it is their items that are counted, in `items`, each once for every object whose list holds it. Opaque values are only counted. `service/id` is a string that no two objects share.
   *
   * Errors: TParseError, MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  getFacets: operations['getFacets']
  /**
   * Complete a path or a value.
   *
   * Without `tag`: tags that the caller may read (READ on their values) and namespaces that the caller may list (LIST) whose path holds the text. Those in which a name begins with it come first, then the others, in both cases shorter paths first. Letter case is ignored.
   * With `tag`: the most frequent values of that tag, which needs READ. With a text, they are the strings that begin with it, exactly and in its letter case; without one, also null, booleans and numbers. Lists, opaque values and values whose JSON is longer than 512 bytes are not suggested.
   * However much there is, only a part of it is looked at: about 20,000 tags and as many namespaces, those whose paths begin with the text or with the caller's user name first; or about 250,000 values in their order, of each different value only the first ones. `complete` says whether that was all.
   *
   * Errors: UnknownAcceptType, TPathPermissionDenied, TNonexistentTag.
   */
  getSuggestions: operations['getSuggestions']
  /**
   * Check a query.
   *
   * What a query is made of: each condition and combination with its place in the text, how many objects it matches, and what is wrong with it. It changes nothing. A text that is no query is a success, too, whose `error` says where it goes wrong.
   * What is wrong with a condition stands in its node: its tag does not exist (`TNonexistentTag`), the caller has no READ on it (`TPathPermissionDenied`), it needs an index that the tag does not have or is illegal (`TBadRequest`), or it uses `service/id` otherwise than to compare it with a UUID (`TParseError`).
   * Objects are counted up to `countUpTo`, those of conditions, in their order, as far as about 1,000,000 entries of indexes tell in all; beyond that, numbers are left out. They also are for a combination of which no operand is counted to the end; for words in a row, none of them rare, and strings longer than 24 bytes, on tags with many or long values; and for what has a condition in it that is wrong.
   *
   * Errors: PayloadFieldMissing, InvalidPayloadField, UnknownPayloadField, MissingPayload, NoContentTypeHeader, UnknownContentType, MalformedPayload, UnknownContentEncoding, UnknownAcceptType, QueryTooCostly.
   */
  checkQuery: operations['checkQuery']
  /**
   * Get the latest values on an object.
   *
   * The latest values on the object, newest first, as far as the caller may read them. An object that was never mentioned gives an empty list.
   *
   * Errors: UnknownAcceptType, NoSuchResource.
   */
  getRecentOnObject: operations['getRecentOnObject']
  /**
   * Get the latest values on the object with an about value.
   *
   * The latest values on the object with the about value, newest first, as far as the caller may read them. An about value that no object has gives an empty list.
   *
   * Errors: UnknownAcceptType, NoSuchResource.
   */
  getRecentOnAbout: operations['getRecentOnAbout']
  /**
   * Get the latest values by a user.
   *
   * The latest values that the user wrote on any object, newest first, as far as the caller may read them.
   *
   * Errors: UnknownAcceptType, TNoSuchUser.
   */
  getRecentByUser: operations['getRecentByUser']
  /**
   * Get the latest values on the objects that a query matches.
   *
   * The latest values on any of the objects that the query matches, as far as the caller may read them, newest first. Needs READ on every tag in the query.
   *
   * Errors: TParseError, MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  getRecentOnObjects: operations['getRecentOnObjects']
  /**
   * Get the latest values by the users that a query matches.
   *
   * The latest values written by any of the users whose objects the query matches, as far as the caller may read them, newest first. `service/users/username = "alice"` finds one user's object. Needs READ on every tag in the query.
   *
   * Errors: TParseError, MissingArgument, UnknownAcceptType, TPathPermissionDenied, TNonexistentTag, TooManyObjects, QueryTooCostly.
   */
  getRecentByUsers: operations['getRecentByUsers']
}
