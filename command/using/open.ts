/** `gloss open`: opens an object in the console, in the browser of this machine. */
import { spawn } from 'node:child_process'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Address } from '../../common/connection/addresses.ts'
import { addressOf, mustExist } from '../connection/objects.ts'
import { isTerminal } from '../terminal/terminal.ts'

/** The program that opens a URL in the default browser. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  // Not `start`, which belongs to a shell; that shell would interpret characters of the URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Prints the address, and opens it if the output is a terminal. */
export async function run([name]: readonly string[], options: ConnectionOptions): Promise<undefined> {
  const connection = await connect(options)
  const address = name === undefined ? undefined : await addressOf(connection, name)
  if (address !== undefined) await mustExist(connection, address)
  const url = `${connection.url}/console/${address === undefined ? '' : fragmentOf(address)}`
  process.stdout.write(`${url}\n`)
  if (isTerminal()) openInBrowser(url)
  return undefined
}

/** The fragment of the console's URL for an object. */
const fragmentOf = (address: Address): string =>
  'id' in address ? `#/object/id/${address.id}` : `#/object/about/${encodeURIComponent(address.about)}`

/** Without a browser, as over ssh, the user opens the printed address. */
function openInBrowser(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}
