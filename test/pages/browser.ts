/** A service, and a browser that records whatever its pages must not do. */
import { afterAll, beforeAll } from '@jest/globals'
import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { slowDown, startChromium } from '../support/chromium.ts'
import { startService, type Service } from '../support/service.ts'

/** An open page, and what went wrong on it. */
export interface Visit {
  readonly page: Page
  /** Violations of the content security policy, script errors, and requests to other hosts. */
  readonly faults: readonly string[]
}

/** What tests of pages use. */
export interface Setting {
  readonly service: Service
  /** Opens a page in a new browser context. */
  visit(path: string, options?: BrowserContextOptions): Promise<Visit>
}

/** Starts a service and a browser before the tests of the calling file, and stops them after. */
export function useBrowser(): () => Setting {
  let setting: (Setting & { readonly browser: Browser }) | undefined
  beforeAll(async () => {
    const [service, browser] = [await startService(), await startChromium()]
    setting = { service, browser, visit: (path, options) => visit(browser, service.url, path, options) }
  })
  afterAll(async () => {
    await setting?.browser.close()
    await setting?.service.stop()
  })
  return () => {
    if (setting === undefined) throw new Error('the service or the browser did not start')
    return setting
  }
}

/** How long anything is waited for that a page should show: less than a test may take, so that it says what was missing. */
const PATIENCE_MS = 240_000

/** How many times slower pages run: `SLOWER=10` shows which tests do not wait for what they look at. */
const SLOWER = Number(process.env['SLOWER'] ?? 1)

/** Opens a page of a service, or a mock of it, in a new browser context. */
export async function visit(
  browser: Browser,
  url: string,
  path: string,
  options?: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext(options)
  // How busy the machine is does not count.
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  if (SLOWER > 1) await slowDown(page, SLOWER)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('request', (request) => {
    // What a page makes itself has the address of the page behind `blob:`.
    if (
      !request
        .url()
        .replace(/^blob:/, '')
        .startsWith(`${url}/`)
    )
      faults.push(`request: ${request.url()}`)
  })
  await page.exposeFunction('noteViolation', (directive: string) => faults.push(`violation: ${directive}`))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => noteViolation(event.violatedDirective))`,
  )
  await page.goto(url + path)
  return { page, faults }
}

const AXE = readFileSync(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')

/** What axe finds wrong with a page by all its rules, including those that are off by default. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  // Halfway between two colours nobody chose the contrast. A cancelled transition is over too.
  await page.evaluate(`Promise.allSettled(
    document.getAnimations().filter((one) => one instanceof CSSTransition).map(({ finished }) => finished),
  ).then(() => undefined)`)
  // Only the rule for enhanced contrast (level AAA) is left out.
  return page.evaluate(`(async () => {
    const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]))
    rules['color-contrast-enhanced'] = { enabled: false }
    const { violations } = await axe.run(document, { rules, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' '))
  })()`)
}
