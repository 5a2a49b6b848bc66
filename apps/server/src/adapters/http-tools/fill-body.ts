import { type Arguments, argumentOf, fillIn, soleName, textOf } from './placeholders.js'

/** Fills the strings of a JSON body. A string that is one placeholder becomes the argument, of whatever type. */
export function fillBody(template: unknown, given: Arguments): unknown {
  if (typeof template === 'string') return fillString(template, given)
  if (Array.isArray(template)) return template.map((item) => fillBody(item, given) ?? null)
  if (typeof template !== 'object' || template === null) return template
  // An argument that was left out leaves its field out, as JSON does with what is undefined.
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillBody(value, given)]))
}

function fillString(template: string, given: Arguments): unknown {
  const name = soleName(template)
  if (name !== null) return Object.hasOwn(given, name) ? given[name] : undefined
  return fillIn(template, (each) => textOf(argumentOf(given, each) ?? ''))
}
