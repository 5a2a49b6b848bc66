import { parseUrl } from './parse-url.js'
import { replaceVariables, variablesOf } from './template.js'

const placeholder = /\{([A-Za-z0-9_-]{1,64})\}/g

/**
 * Returns the error in the URL of an HTTP tool, or null if it is valid. Placeholders are only allowed in path segments and
 * query values, so that the model cannot choose the scheme, host, port or parameter names.
 */
export function findTemplateError(givenTemplate: string): string | null {
  if (variablesOf(givenTemplate).some(({ fallback }) => /[/?#&=]/.test(fallback ?? '')))
    return 'must not contain a variable whose default has one of / ? # & ='
  const template = replaceVariables(givenTemplate, () => '{variable}')
  const plain = template.replaceAll(placeholder, 'x')
  if (/[{}]/.test(plain)) return 'must not contain braces outside of {name} placeholders'
  const url = parseUrl(plain)
  if (url === null) return 'must be an absolute http or https URL'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an absolute http or https URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (originWith(template, 'x') !== originWith(template, 'y'))
    return 'must not contain a placeholder in the host'
  if (template.includes('#')) return 'must not contain a fragment'
  const query = template.split('?').slice(1).join('?')
  if (query.split('&').some((pair) => pair.split('=', 1)[0]?.includes('{')))
    return 'must not contain a placeholder in a query parameter name'
  return null
}

/** Returns the origin of the URL with this value in its placeholders. It is parsed, because parsers ignore some whitespace. */
function originWith(template: string, value: string): string | null {
  return parseUrl(template.replaceAll(placeholder, value))?.origin ?? null
}

/** Returns the names of the placeholders in a template. */
export function placeholdersOf(template: string): string[] {
  const withoutVariables = replaceVariables(template, () => '')
  return [...withoutVariables.matchAll(placeholder)].map((match) => match[1] ?? '')
}
