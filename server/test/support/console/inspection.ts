import { findBarriers, type OpenConsole } from './open-console.js'

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
      const barriers: string[] = []
      for (const theme of themes) {
        // Waits for what moves, too: letters that are half-way to their colour would be found hard to read.
        await wear(theme)
        barriers.push(...(await findBarriers(page, { part })).map((each) => `${theme}: ${each}`))
      }
      found[name] = barriers
      themes = [themes[1], themes[0]]
    },
  }
}
