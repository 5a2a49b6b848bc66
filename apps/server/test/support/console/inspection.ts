import { findBarriers } from '../browser/barriers.js'
import type { OpenConsole } from './open-console.js'

/** What keeps people out of the parts of a page that a test has looked at, by their names. */
export interface Inspection {
  readonly found: Readonly<Record<string, readonly string[]>>
  /** Looks at what is shown now, or at what is within a part of it, in both themes. */
  inspect(name: string, part?: string): Promise<void>
}

type Theme = Parameters<OpenConsole['wear']>[0]

/** Of a browser that wears the light theme yet. */
export function makeInspection({ page, wear }: Pick<OpenConsole, 'page' | 'wear'>): Inspection {
  const found: Record<string, readonly string[]> = {}
  // The one that is worn goes first: to change it is to draw the whole page anew.
  let themes: readonly [Theme, Theme] = ['light', 'dark']
  return {
    found,
    async inspect(name, part = ':root') {
      const [worn, other] = themes
      const isWhole = part === ':root'
      const look = async (theme: Theme, rules: 'all' | 'colors') =>
        (await findBarriers(page, { part, rules })).map((each) => `${theme}: ${each}`)
      // Waits for what moves, too: letters that are half-way to their colour would be found hard to read.
      await wear(worn)
      if (!isWhole) await page.evaluate(takeFrameOut)
      const first = await look(worn, 'all')
      await page.evaluate(`void (globalThis.shapeBefore = ${shape})`)
      await wear(other)
      // Where the same things are shown in the same places, colours alone can be worse than before.
      const isSame = await page.evaluate<boolean>(`globalThis.shapeBefore === ${shape}`)
      found[name] = [...first, ...(await look(other, isSame ? 'colors' : 'all'))]
      if (!isWhole) await page.evaluate(putFrameBack)
      themes = [other, worn]
    },
  }
}

/**
 * Axe weighs every element of a document, whichever part it is asked about, and most are in the frame around the pages.
 * What is in its two halves moves nothing else, but for a menu that hangs on one of them.
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

/** Every element below the root, which carries the theme's name, with what is written in it, and whether and where it is seen. */
const shape = `[
  document.head.innerHTML,
  document.body.outerHTML,
  ...[...document.body.querySelectorAll('*')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height, element.checkVisibility({ opacityProperty: true, visibilityProperty: true })].join()
  }),
].join('\\n')`
