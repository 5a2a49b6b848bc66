import { findBarriers, type OpenConsole } from './open-console.js'

/** What keeps people out of the parts of a page that a test has looked at, by their names. */
export interface Inspection {
  readonly found: Readonly<Record<string, readonly string[]>>
  /** Looks at what is shown now, or at what is within a part of it, in both themes. */
  inspect(name: string, part?: string): Promise<void>
}

export function makeInspection({ page, wear }: Pick<OpenConsole, 'page' | 'wear'>): Inspection {
  const found: Record<string, readonly string[]> = {}
  return {
    found,
    async inspect(name, part = ':root') {
      const light = await findBarriers(page, { part })
      await wear('dark')
      // Of the rules those of colour, since nothing else is another in this theme.
      const dark = await findBarriers(page, { part, rules: ['color-contrast'] })
      await wear('light')
      found[name] = [...light.map((each) => `light: ${each}`), ...dark.map((each) => `dark: ${each}`)]
    },
  }
}
