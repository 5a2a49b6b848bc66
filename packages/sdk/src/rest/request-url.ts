import { ParleyError } from '../parley-error.js'

type QueryValue = string | number | boolean | undefined

/** One part of a path. An empty id would lead to another call: to the list, for example. */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || value === '' || value === '.' || value === '..')
    throw new ParleyError(`${name} cannot be ${JSON.stringify(value)}.`)
  return encodeURIComponent(value)
}

/** The address of a call below the service's own. */
export function requestUrl(baseUrl: string, path: string, query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query) as [string, QueryValue][])
    if (value !== undefined) search.set(name, String(value))
  return `${baseUrl}${path}${search.size > 0 ? `?${search}` : ''}`
}
