/**
 * The address that a text spells, or null. Not by `URL.canParse`: once Node 20 has compiled it, it takes letters beyond
 * ASCII (https://bücher.example) for mistakes.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
