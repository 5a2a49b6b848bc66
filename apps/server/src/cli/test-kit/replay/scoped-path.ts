/** A test's own part of a recording: a folder, and a segment of the address. */
const scopePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Where an API begins at the addresses of providers; an Azure resource's has the longer one. */
const apiPaths = ['/openai/v1', '/v1']

export interface ScopedPath {
  readonly scope: string
  /** What is asked for, behind where the API begins, with its query. */
  readonly path: string
}

/** Reads `/<scope>/v1/chat/completions`; null where it is nothing of the kind. */
export function readScopedPath(url: string | undefined): ScopedPath | null {
  const [, scope = '', rest = ''] = /^\/([^/?]*)(.*)$/.exec(url ?? '') ?? []
  const apiPath = apiPaths.find((each) => rest.startsWith(`${each}/`))
  if (!scopePattern.test(scope) || apiPath === undefined) return null
  return { scope, path: rest.slice(apiPath.length) }
}

/** The baseUrl of a connection for one test. */
export function scopedAddress(origin: string, scope: string): string {
  if (!scopePattern.test(scope))
    throw new Error(`${scope} cannot name a recording: use 1 to 100 letters, digits, dots, _ or -.`)
  return `${origin}/${scope}/v1`
}
