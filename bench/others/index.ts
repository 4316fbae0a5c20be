/** The services for the comparison with Gloss. */
import { kinto } from './kinto.ts'
import { parseServer } from './parse-server.ts'
import { pocketbase } from './pocketbase.ts'
import { pouchdbServer } from './pouchdb-server.ts'
import type { OtherService } from './service.ts'

export const OTHERS: readonly OtherService[] = [pocketbase, parseServer, pouchdbServer, kinto]
