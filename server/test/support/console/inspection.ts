import { findBarriers, type OpenConsole } from './open-console.js'

/** What keeps people out of the parts of a page that a test has looked at, by their names. */
export interface Inspection {
  readonly found: Readonly<Record<string, readonly string[]>>
  /** Looks at what is shown now, or at what is within a part of it, in both themes. */
  inspect(name: string, part?: string): Promise<void>
}

const themes = ['light', 'dark'] as const

export function makeInspection({ page, wear }: Pick<OpenConsole, 'page' | 'wear'>): Inspection {
  const found: Record<string, readonly string[]> = {}
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
    },
  }
}
