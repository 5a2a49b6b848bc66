import { argumentOf, fillIn, soleName, textOf, type Values } from './placeholders.js'

/**
 * Fills the strings of a JSON body. A string that is exactly one placeholder is replaced by the argument,
 * with its type.
 */
export function fillBody(template: unknown, values: Values): unknown {
  if (typeof template === 'string') return fillString(template, values)
  if (Array.isArray(template)) return template.map((item) => fillBody(item, values) ?? null)
  if (typeof template !== 'object' || template === null) return template
  // If the argument is missing, its field is omitted, as JSON does for undefined.
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillBody(value, values)]))
}

function fillString(template: string, { arguments: given, variables }: Values): unknown {
  const name = soleName(template)
  if (name !== null) return Object.hasOwn(given, name) ? given[name] : undefined
  return fillIn(template, (each) => textOf(argumentOf(given, each) ?? ''), variables)
}
