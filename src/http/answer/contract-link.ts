import { VERSION } from '../../settings/version.ts'

/** The link to the contract with its version (RFC 8631), which every answer has that has links. */
export const contractLink = (baseUrl: string): string =>
  `<${baseUrl}/openapi.json>; rel="service-desc"; title="Gloss ${VERSION}"`
