import type { BrowserContextOptions, Page } from 'playwright-core'
import { vi } from 'vitest'
import { newVisitor } from '../browser/browser.js'
import type { Visitor } from '../people/signed-in.js'
import type { RunningService } from '../start-service.js'

export interface OpenConsole {
  readonly page: Page
  /** Console errors and warnings, page errors and requests to other hosts. */
  readonly pageErrors: string[]
  /** Opens a page of the console and waits for its title. */
  show(path: string, title: string | RegExp): Promise<void>
  /** Waits until nothing on the page is loading. */
  settled(): Promise<void>
  /** Changes the system theme and waits until the page has followed. */
  wear(theme: 'light' | 'dark'): Promise<void>
}

/** For repeated reads of a page. Each read takes a few milliseconds. */
export const pagePatience = { timeout: 60_000, interval: 100 }

interface ConsoleOptions extends BrowserContextOptions {
  /** The signed-in visitor. Default: none. */
  readonly as?: Visitor
  readonly initScript?: string
}

/** Opens the console in its own browser context. */
export async function openConsole(
  { url }: Pick<RunningService, 'url'>,
  { as, initScript, ...options }: ConsoleOptions = {},
): Promise<OpenConsole> {
  const context = await newVisitor({ reducedMotion: 'reduce', ...options })
  if (as !== undefined) {
    const [name = '', value = ''] = as.cookie.split('=')
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
  }
  const page = await context.newPage()
  // A failing test names the step that timed out.
  page.setDefaultTimeout(60_000)
  if (initScript !== undefined) await page.addInitScript(initScript)
  const pageErrors = collectPageErrors(page, new URL(url).host)
  return {
    page,
    pageErrors,
    async show(path, title) {
      await page.goto(`${url}/#${path}`)
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    },
    async settled() {
      await page
        .locator('.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy=true]')
        .first()
        .waitFor({ state: 'detached' })
    },
    async wear(theme) {
      await page.emulateMedia({ colorScheme: theme })
      await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
      await vi.waitUntil(() => page.evaluate<boolean>(isStill), { timeout: 60_000 })
    },
  }
}

const isStill = 'document.getAnimations().every(({ playState }) => playState !== "running")'

function collectPageErrors(page: Page, host: string): string[] {
  const pageErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') pageErrors.push(message.text())
  })
  page.on('pageerror', (error) => void pageErrors.push(error.message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (/^(?:http|ws)/.test(url.protocol) && url.host !== host) pageErrors.push(`asked ${url.href}`)
  })
  return pageErrors
}
