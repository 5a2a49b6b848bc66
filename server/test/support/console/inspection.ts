import type { Page } from 'playwright-core'
import { findBarriers } from './open-console.js'

/** What keeps people out of the parts of a page that a test has looked at, by their names. */
export interface Inspection {
  readonly found: Readonly<Record<string, readonly string[]>>
  /** Looks at what is shown now, or at what is within a part of it, in both themes. */
  inspect(name: string, within?: string): Promise<void>
}

const themes = ['light', 'dark'] as const

const transitionsEnd =
  'Promise.allSettled(document.getAnimations().flatMap((each) => each instanceof CSSTransition ? [each.finished] : []))'

export function makeInspection(page: Page): Inspection {
  const found: Record<string, readonly string[]> = {}
  return {
    found,
    async inspect(name, within) {
      const barriers: string[] = []
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme })
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' })
        // Letters that are half-way to their new colour would be found hard to read.
        await page.evaluate(transitionsEnd)
        const inTheme = await findBarriers(page, within)
        barriers.push(...inTheme.map((barrier) => `${colorScheme}: ${barrier}`))
      }
      found[name] = barriers
    },
  }
}
