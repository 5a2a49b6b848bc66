import { parseUrl } from './parse-url.js'

const placeholder = /\{([A-Za-z0-9_-]{1,64})\}/g

/**
 * Says what is wrong with an http tool's url, or null. Placeholders may stand in path segments and query values
 * only: scheme, host, port and parameter names are never the model's choice.
 */
export function findTemplateMistake(template: string): string | null {
  const plain = template.replaceAll(placeholder, 'x')
  if (/[{}]/.test(plain)) return 'holds a brace that belongs to no {name} placeholder'
  const url = parseUrl(plain)
  if (url === null) return 'must be an absolute http or https URL'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an absolute http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  if (originWith(template, 'x') !== originWith(template, 'y'))
    return 'must not hold a placeholder in the host'
  if (template.includes('#')) return 'must not hold a fragment'
  const query = template.split('?').slice(1).join('?')
  if (query.split('&').some((pair) => pair.split('=', 1)[0]?.includes('{')))
    return 'must not hold a placeholder in the name of a query parameter'
  return null
}

/** Where the url leads with this value in its placeholders: parsers skip white space, so its spelling would not tell. */
function originWith(template: string, value: string): string | null {
  return parseUrl(template.replaceAll(placeholder, value))?.origin ?? null
}

/** The names of the placeholders in a template. */
export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1] ?? '')
}
