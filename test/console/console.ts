/** The console in a browser, on a service of the tests. */
import { expect } from '@jest/globals'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { axeFindings, useBrowser, type Visit } from '../pages/browser.ts'
import { PASSWORD, type Service } from '../support/service.ts'

/** What tests of the console use. */
export interface ConsoleSetting {
  readonly service: Service
  /** Opens the console at a URL of its own, `#/ask?query=…`, in a new browser context, signed in if `as` names a user. */
  open(hash: string, options?: BrowserContextOptions & { readonly as?: string }): Promise<Visit>
}

/** Starts a service and a browser before the tests of the calling file, and stops them after. */
export function useConsole(): () => ConsoleSetting {
  const setting = useBrowser()
  return () => {
    const { service, ...browser } = setting()
    const open: ConsoleSetting['open'] = async (hash, { as, ...options } = {}) => {
      const opened = await browser.visit(`/console/${hash}`, {
        viewport: { width: 1280, height: 900 },
        ...options,
      })
      if (as !== undefined) await signIn(opened.page, as)
      return opened
    }
    return { service, open }
  }
}

/** Signs in as people do. */
export async function signIn(page: Page, name: string, password = PASSWORD): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('User name').fill(name)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Ends a visit: nothing was forbidden, nothing failed, and axe finds nothing wrong with what is shown. */
export async function leave({ page, faults }: Visit): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  expect(faults).toEqual([])
  await page.context().close()
}
