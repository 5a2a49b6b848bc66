import { parseUrl } from './parse-url.js'

const placeholder = /\{([A-Za-z0-9_-]{1,64})\}/g

/**
 * Returns what is wrong with the url of an http tool, or null. Placeholders are allowed in path segments and query values
 * only. The model never chooses scheme, host, port or parameter names.
 */
export function findTemplateMistake(template: string): string | null {
  const plain = template.replaceAll(placeholder, 'x')
  if (/[{}]/.test(plain)) return 'contains a brace that is not part of a {name} placeholder'
  const url = parseUrl(plain)
  if (url === null) return 'must be an absolute http or https URL'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an absolute http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (originWith(template, 'x') !== originWith(template, 'y'))
    return 'must not contain a placeholder in the host'
  if (template.includes('#')) return 'must not contain a fragment'
  const query = template.split('?').slice(1).join('?')
  if (query.split('&').some((pair) => pair.split('=', 1)[0]?.includes('{')))
    return 'must not contain a placeholder in the name of a query parameter'
  return null
}

/** Returns the parsed url with this value in its placeholders. Parsers skip white space, so comparing text is not enough. */
function originWith(template: string, value: string): string | null {
  return parseUrl(template.replaceAll(placeholder, value))?.origin ?? null
}

/** Returns the names of the placeholders in a template. */
export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1] ?? '')
}
