import { findAccessibilityIssues } from '../browser/accessibility-issues.js'
import type { OpenConsole } from './open-console.js'

/** The accessibility findings of the inspected parts, by name. */
export interface Inspection {
  readonly found: Readonly<Record<string, readonly string[]>>
  /** Checks the page, or a part of it, in both themes. */
  inspect(name: string, part?: string): Promise<void>
}

type Theme = Parameters<OpenConsole['wear']>[0]

/** The browser must be in the light theme. */
export function makeInspection({ page, wear }: Pick<OpenConsole, 'page' | 'wear'>): Inspection {
  const found: Record<string, readonly string[]> = {}
  // Starts with the current theme, because a change renders the whole page again.
  let themes: readonly [Theme, Theme] = ['light', 'dark']
  return {
    found,
    async inspect(name, part = ':root') {
      const [worn, other] = themes
      const isWhole = part === ':root'
      const look = async (theme: Theme, rules: 'all' | 'colors') =>
        (await findAccessibilityIssues(page, { part, rules })).map((each) => `${theme}: ${each}`)
      // Waits for transitions, because text in the middle of a color change would fail the contrast check.
      await wear(worn)
      if (!isWhole) await page.evaluate(takeFrameOut)
      const first = await look(worn, 'all')
      await page.evaluate(`void (globalThis.shapeBefore = ${shape})`)
      await wear(other)
      // If elements and positions are the same, only colors can differ.
      const isSame = await page.evaluate<boolean>(`globalThis.shapeBefore === ${shape}`)
      found[name] = [...first, ...(await look(other, isSame ? 'colors' : 'all'))]
      if (!isWhole) await page.evaluate(putFrameBack)
      themes = [other, worn]
    },
  }
}

/**
 * Axe checks every element of the document, also for a part of it, and most elements are in the frame around
 * the pages. Removing the contents of header and navigation moves nothing else. A half with an open menu is
 * kept.
 */
const takeFrameOut = `void (globalThis.frameBefore =
  [...document.querySelectorAll('.mantine-AppShell-header, .mantine-AppShell-navbar')]
    .filter((half) => half.querySelector('[aria-expanded=true]') === null)
    .map((half) => {
      const contents = [...half.childNodes]
      half.replaceChildren()
      return () => half.replaceChildren(...contents)
    }))`
const putFrameBack = 'globalThis.frameBefore.forEach((putBack) => putBack())'

/**
 * Every element of the page with its text, visibility and position, without the theme's attribute on the
 * root.
 */
const shape = `[
  document.head.innerHTML,
  document.body.outerHTML,
  ...[...document.body.querySelectorAll('*')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height, element.checkVisibility({ opacityProperty: true, visibilityProperty: true })].join()
  }),
].join('\\n')`
