/** The documents and the console, loaded when one is first asked for: to most services that never happens, and they take 8 MB. */
import type { Document } from './document.ts'
import type { createDocuments, DocumentName } from './documents.ts'

/** A document for clients whose addresses of the service begin with `base`. */
export type Documents = (name: DocumentName, base: string) => Promise<Document>

/** A file of the console. */
export type Console = typeof consoleOnDemand

/** Where the contract is read from. */
interface Contract {
  readonly readText: () => string
  readonly read: () => object
}

/** The documents of a contract, which is read when they are loaded. */
export function documentsOnDemand({ readText, read }: Contract): Documents {
  let loaded: Promise<ReturnType<typeof createDocuments>> | undefined
  const load = async (): Promise<ReturnType<typeof createDocuments>> => {
    const documents = await import('./documents.ts')
    return documents.createDocuments(readText(), read())
  }
  return async (name, base) => {
    loaded ??= load()
    // A failure, as when no file can be opened, may be temporary: the next request loads the documents again.
    loaded.catch(() => {
      loaded = undefined
    })
    return (await loaded)(name, base)
  }
}

/** A file of the console, by its path below `/console/`; undefined for what there is not. */
export async function consoleOnDemand(path: string): Promise<Document | undefined> {
  const { consoleFile } = await import('./console-files.ts')
  return consoleFile(path)
}
