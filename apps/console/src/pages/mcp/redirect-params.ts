/** The service redirects here with the original query string in `with`. */
export const parseRedirectSearch = (search: Record<string, unknown>): { with?: string } =>
  typeof search.with === 'string' ? { with: search.with } : {}

export function decodeRedirectParams(text: string | undefined): Readonly<Record<string, string>> {
  const encoded = /^q\.([\w-]*)$/.exec(text ?? '')?.[1] ?? ''
  const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
    each.charCodeAt(0),
  )
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)))
}
