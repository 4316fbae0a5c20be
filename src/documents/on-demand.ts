/** The documents and the console, loaded when one is first asked for: to most services that never happens, and they take 8 MB. */
import type { Document } from './document.ts'
import type { createDocuments, Contracts, DocumentName, Selection } from './documents.ts'

/** A document for clients whose addresses of the service begin with `base`. */
export type Documents = (name: DocumentName, base: string, selection?: Selection) => Promise<Document>

/** A file of the console. */
export type Console = typeof consoleOnDemand

/** The documents of the contracts, which are read when they are loaded. */
export function documentsOnDemand(read: () => Contracts): Documents {
  let loaded: Promise<ReturnType<typeof createDocuments>> | undefined
  const load = async (): Promise<ReturnType<typeof createDocuments>> => {
    const documents = await import('./documents.ts')
    return documents.createDocuments(read())
  }
  return async (name, base, selection) => {
    loaded ??= load()
    // A failure, as when no file can be opened, may be temporary: the next request loads the documents again.
    loaded.catch(() => {
      loaded = undefined
    })
    return (await loaded)(name, base, selection)
  }
}

/** A file of the console, by its path below `/console/`; undefined for what there is not. */
export async function consoleOnDemand(path: string): Promise<Document | undefined> {
  const { consoleFile } = await import('./console-files.ts')
  return consoleFile(path)
}
