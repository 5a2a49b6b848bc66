/**
 * Returns the parsed address of a text, or null. `URL.canParse` does not serve: once Node 20 has compiled it, it rejects
 * letters beyond ASCII (https://bücher.example).
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
