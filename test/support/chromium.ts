/** A headless browser for tests of pages: the installed Chromium, or the one that apt installs. */
import { chromium, type Browser, type CDPSession, type LaunchOptions, type Page } from 'playwright-core'
import { installedProgram } from './programs.ts'

const PACKAGE = 'chromium-headless-shell'
/** The first is Chromium without windows. The others run a hidden window for each page, which takes most of their time. */
const NAMES = [PACKAGE, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

const CHOICES = `Any one of these will do:
  - Chromium or Chrome installed on this machine (Debian: apt-get install ${PACKAGE})
  - root on a Debian-like system, where Chromium is installed automatically`

/** Starts a browser with additional command-line options. Throws if there is no browser and apt cannot install one. */
export const startChromium = (options: readonly string[] = []): Promise<Browser> =>
  chromium.launch(chromiumOptions(options))

/** The options with which Playwright starts the browser. */
export function chromiumOptions(options: readonly string[] = []): LaunchOptions {
  // The sandbox needs rights that root in a container lacks. The tests open only pages of this project.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return {
    executablePath: installedProgram(NAMES, PACKAGE, CHOICES),
    args: [...sandbox, ...options],
  }
}

/** Slows the processor down for a page by a factor. */
export async function slowDown(page: Page, times: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: times })
  return session
}
