/** Prints the contract in OpenAPI 3.0.3, as JSON (`node scripts/openapi30.ts > openapi-3.0.json`). */
import { toOpenApi30 } from '../src/documents/openapi30.ts'
import { readContract } from '../src/http/contract.ts'

console.log(JSON.stringify(toOpenApi30(readContract()), null, 2))
