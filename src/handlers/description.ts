/** The contract and the pages generated from it. */
import type { Handler } from '../http/handler.ts'

/** GET /openapi.json: the contract. */
export const getContract: Handler<'getContract'> = async ({ args, document, reply }) =>
  reply({ status: 200, document: await document('openapi.json', args) })

/** GET /openapi.yaml: the contract. */
export const getContractAsYaml: Handler<'getContractAsYaml'> = async ({ args, document, reply }) =>
  reply({ status: 200, document: await document('openapi.yaml', args) })

/** GET /openapi-3.0.json: the contract in OpenAPI 3.0.3. */
export const getContractAsOpenApi30: Handler<'getContractAsOpenApi30'> = async ({ args, document, reply }) =>
  reply({ status: 200, document: await document('openapi-3.0.json', args) })

/** GET /docs: the reference. */
export const getReference: Handler<'getReference'> = async ({ document, reply }) =>
  reply({ status: 200, document: await document('docs') })

/** GET /docs/{file}: the page for sending requests, and the assets of both pages. */
export const getReferenceFile: Handler<'getReferenceFile'> = async ({ args, document, reply }) =>
  reply({ status: 200, document: await document(`docs/${args.file}`) })

/** GET /crossdomain.xml: the policy for Flash and Silverlight. */
export const getCrossDomainPolicy: Handler<'getCrossDomainPolicy'> = async ({ document, reply }) =>
  reply({ status: 200, document: await document('crossdomain.xml') })
