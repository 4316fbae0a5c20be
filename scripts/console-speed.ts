/**
 * Measures the console on a running service (`node scripts/console-speed.ts`): the time to the first view, and frames per
 * second while its table scrolls.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { slowDown, startChromium } from '../test/support/chromium.ts'
import { argumentsOf, option, positive, text } from './usage.ts'

/**
 * The time in milliseconds in which a new browser, and a service that still counts for the previous view, finish that
 * work.
 */
const REST_MS = 3000
const VIEWS = 5

/** The smoothness of a movement. */
interface Smoothness {
  /** Frames per second. */
  readonly frames: number
  /** The longest time between two frames, in milliseconds. */
  readonly longest: number
  /** The processor time of the page per frame, in milliseconds; 60 frames per second allow 16.7. */
  readonly busy: number
  /** The largest number of elements in the page during the movement. */
  readonly elements: number
}

/** A new page of a browser that has loaded nothing, with the processor slowed down by a factor. */
async function open(browser: Browser, slower: number): Promise<{ page: Page; session: CDPSession }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage()
  return { page, session: await slowDown(page, slower) }
}

/** The milliseconds from the request for the console until the first row of a query appears. */
async function firstView(page: Page, url: string, query: string): Promise<number> {
  await page.goto('about:blank')
  await sleep(REST_MS)
  const began = performance.now()
  await page.goto(`${url}/console/#/ask?query=${encodeURIComponent(query)}`, { waitUntil: 'commit' })
  await page.locator('[role=row] a').first().waitFor()
  return performance.now() - began
}

/** Jumps to a row of the table, and waits until it appears. Returns the milliseconds. */
async function jump(page: Page, row: number): Promise<number> {
  const began = performance.now()
  await page.evaluate(
    `(() => { const box = document.querySelector('.objects');
      box.scrollTop = ${row} * document.querySelector('.objects .row').offsetHeight })()`,
  )
  // The pages before the row load first.
  await page.locator(`[data-index="${row}"] a`).waitFor({ timeout: 300_000 })
  return performance.now() - began
}

/** Scrolls the table by that many pixels per second, as a user with a touchpad does. */
async function scroll(
  page: Page,
  session: CDPSession,
  { pixels, speed }: { readonly pixels: number; readonly speed: number },
): Promise<Smoothness> {
  await page.evaluate(`(() => {
    const seen = (window.seen = { times: [], elements: 0, on: true })
    const note = (time) => {
      seen.times.push(time)
      if (seen.times.length % 20 === 0)
        seen.elements = Math.max(seen.elements, document.getElementsByTagName('*').length)
      if (seen.on) requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })()`)
  const before = await busySeconds(session)
  const box = await page.locator('.objects').boundingBox()
  if (box === null) throw new Error('there is no table')
  await session.send('Input.synthesizeScrollGesture', {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    yDistance: -pixels,
    speed,
    gestureSourceType: 'mouse',
  })
  const busy = (await busySeconds(session)) - before
  const { times, elements } = await page.evaluate<{ times: number[]; elements: number }>(
    '((window.seen.on = false), window.seen)',
  )
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000
  return {
    frames: gaps.length / seconds,
    longest: Math.max(...gaps),
    busy: (busy * 1000) / gaps.length,
    elements,
  }
}

/** The processor time of the page so far, without that of other programs. */
async function busySeconds(session: CDPSession): Promise<number> {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}

async function main(): Promise<void> {
  const { url, query, slower } = argumentsOf({
    name: 'node scripts/console-speed.ts',
    does: 'Measures how long the first view of the console takes, and frames a second while its table scrolls.',
    options: {
      url: option(text('URL'), 'the service, which has the demo', 'http://127.0.0.1:8080'),
      query: option(text('QUERY'), 'what the table shows', 'has cities/name'),
      slower: option(positive, 'how many times slower the processor of the browser is', 4),
    },
  })
  const browser = await startChromium()
  try {
    const views: number[] = []
    for (let view = 0; view < VIEWS; view++) {
      const { page } = await open(browser, slower)
      views.push(await firstView(page, url, query))
      await page.context().close()
    }
    const median = views.toSorted((one, other) => one - other)[(VIEWS - 1) / 2]
    console.log(`first view: ${views.map((ms) => ms.toFixed(0)).join(', ')} ms, median ${median?.toFixed(0)}`)

    const { page, session } = await open(browser, slower)
    await firstView(page, url, query)
    await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' })
    for (const row of [0, 100_000]) {
      console.log(`row ${row}: there after ${(await jump(page, row)).toFixed(0)} ms`)
      for (const speed of [1000, 2000, 4000]) {
        const { frames, longest, busy, elements } = await scroll(page, session, { pixels: speed * 5, speed })
        console.log(
          `  ${speed} pixels a second: ${frames.toFixed(1)} frames a second, the longest ${longest.toFixed(0)} ms, ${busy.toFixed(1)} ms busy each, ${elements} elements`,
        )
      }
    }
  } finally {
    await browser.close()
  }
}

if (import.meta.main) await main()
