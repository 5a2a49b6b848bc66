import { ParleyError } from '../parley-error.js'

type QueryValue = string | number | boolean | undefined

/** Returns one segment of a path. An empty id would call another operation, for example the list. */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new ParleyError(`${name} cannot be ${JSON.stringify(value)}.`)
  return encodeURIComponent(value)
}

/** Returns the URL of a call. */
export function requestUrl(baseUrl: string, path: string, query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, QueryValue][])
    if (value !== undefined) search.set(name, String(value))
  return `${baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`
}
