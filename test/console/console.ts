/** The console in a browser, on a service of the tests. */
import { expect } from '@jest/globals'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { axeFindings, useBrowser, type Visit } from '../pages/browser.ts'
import { PASSWORD, type Service } from '../support/service.ts'
import { signIn as signInOn } from '../support/sign-in.ts'

/** What tests of the console use. */
export interface ConsoleSetting {
  readonly service: Service
  /** Opens the console at a URL of its own, `#/ask?query=…`, in a new browser context, signed in if `as` names a user. */
  readonly open: (hash: string, options?: BrowserContextOptions & { readonly as?: string }) => Promise<Visit>
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
export const signIn = (page: Page, name: string, password = PASSWORD): Promise<void> =>
  signInOn(page, name, password)

/** Signs out as people do. */
export async function signOut(page: Page): Promise<void> {
  await openMenu(page)
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
}

/** Opens the menu of the account. */
export async function openMenu(page: Page): Promise<void> {
  await page.getByRole('banner').locator('[aria-controls=menu]').click()
}

/** Ends a visit: nothing was forbidden, nothing failed, and axe finds nothing wrong with what is shown. */
export async function leave({ page, faults }: Visit): Promise<void> {
  expect(await axeFindings(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  expect(faults).toEqual([])
  await page.context().close()
}

/** Waits for a count; where the machine is so busy that counting took long, it is asked for. */
export async function counted(place: Locator, text: string): Promise<void> {
  const button = place.getByRole('button', { name: 'Count' })
  await place.getByText(text).or(button).first().waitFor()
  if (await button.isVisible()) await button.click()
  await place.getByText(text).first().waitFor()
}
