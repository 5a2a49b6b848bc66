import { type Arguments, argumentOf, fillIn, soleName, textOf } from './placeholders.js'

/**
 * Fills the strings of a JSON body. A string that is exactly one placeholder is replaced by the argument,
 * with its type.
 */
export function fillBody(template: unknown, given: Arguments): unknown {
  if (typeof template === 'string') return fillString(template, given)
  if (Array.isArray(template)) return template.map((item) => fillBody(item, given) ?? null)
  if (typeof template !== 'object' || template === null) return template
  // If the argument is missing, its field is omitted, as JSON does for undefined.
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillBody(value, given)]))
}

function fillString(template: string, given: Arguments): unknown {
  const name = soleName(template)
  if (name !== null) return Object.hasOwn(given, name) ? given[name] : undefined
  return fillIn(template, (each) => textOf(argumentOf(given, each) ?? ''))
}
