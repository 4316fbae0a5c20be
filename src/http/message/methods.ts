/** The HTTP methods of the service. */

/** The methods of the contract's operations. */
export const OPERATION_METHODS: readonly string[] = ['DELETE', 'GET', 'HEAD', 'POST', 'PUT']

/** Whether a method changes nothing. */
export const isRead = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method)

/** The methods of a path, as `Allow` lists them: every path answers OPTIONS as well. */
export const withOptions = (methods: Iterable<string>): string[] => [...methods, 'OPTIONS'].sort()

/** The methods of the whole service, for `OPTIONS *`. */
export const ALL_METHODS: readonly string[] = withOptions(OPERATION_METHODS)
