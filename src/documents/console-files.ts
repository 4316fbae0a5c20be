/** The files of the console, as Vite makes them (console/vite.config.ts): its page, and what that loads. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { once } from '../scheduling/once.ts'
import { Document } from './document.ts'

/** Beside the sources of the console, and in the same place where the service is compiled. */
const FOLDER = fileURLToPath(new URL('../../console/built/', import.meta.url))
const PAGE = 'index.html'

/** The content types of the console's files, by extension. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  // The licences of what is bundled, which browsers show as a text and would keep as a file in its own type.
  '.md': 'text/plain; charset=utf-8',
}

/**
 * Images are the console's own, or values as `data:`, which no browser opens as a page of ours, as it does `blob:`. No script can
 * turn a text into markup or code.
 * The console is never in a frame, and opens none.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** For files whose names contain a digest of their content, as Vite names them. */
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' }
const WITH_DIGEST = /-[\w-]{8}\.\w+$/

const files = once(readAll)

/**
 * A file of the console, by its path below `/console/`; of the empty path the page itself. Undefined for what there is
 * not, which is everything where the console was not built.
 */
export function consoleFile(path: string): Document | undefined {
  return files().get(path === '' ? PAGE : path)
}

function readAll(): ReadonlyMap<string, Document> {
  const names = existsSync(join(FOLDER, PAGE)) ? globSync(['*.html', 'assets/*'], { cwd: FOLDER }) : []
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), read(name)]))
}

function read(name: string): Document {
  const document = new Document(
    TYPES[extname(name)] ?? 'application/octet-stream',
    readFileSync(join(FOLDER, name), 'utf8'),
    { 'Content-Security-Policy': POLICY, ...(WITH_DIGEST.test(name) ? FOR_EVER : {}) },
  )
  document.lasts()
  return document
}
