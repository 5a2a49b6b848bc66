/**
 * Returns the parsed URL, or null if the text is not a URL. Does not use `URL.canParse`: once Node 20 has compiled it, it
 * rejects URLs with non-ASCII letters (https://bücher.example).
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
