import { isRecord } from './session-event.js'

type Schema = Readonly<Record<string, unknown>>

/**
 * Returns what is wrong with a value by the supported part of JSON Schema: types, enum, const, properties, required,
 * additionalProperties, items, bounds, lengths and pattern. Returns null if it is valid. Other keywords are ignored.
 */
export function findError(value: unknown, schema: unknown, path = 'arguments'): string | null {
  if (!isRecord(schema)) return null
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return `${path} must be of type ${types.join(' or ')}.`
  if (Array.isArray(schema.enum) && !schema.enum.some((allowed) => isSame(allowed, value)))
    return `${path} must be one of ${JSON.stringify(schema.enum)}.`
  if ('const' in schema && !isSame(schema.const, value))
    return `${path} must be ${JSON.stringify(schema.const)}.`
  if (typeof value === 'number') return findBound(value, schema, path, ['minimum', 'maximum'])
  if (typeof value === 'string') return findTextError(value, schema, path)
  if (Array.isArray(value)) return findListError(value, schema, path)
  return isRecord(value) ? findObjectError(value, schema, path) : null
}

function findObjectError(value: Schema, schema: Schema, path: string): string | null {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  if (missing !== undefined) return `${path}.${missing} is required.`
  for (const [name, part] of Object.entries(value)) {
    const isKnown = Object.hasOwn(properties, name)
    if (!isKnown && schema.additionalProperties === false) return `${path}.${name} is not a known field.`
    const error = findError(part, isKnown ? properties[name] : schema.additionalProperties, `${path}.${name}`)
    if (error !== null) return error
  }
  return null
}

function findListError(value: readonly unknown[], schema: Schema, path: string): string | null {
  for (const [index, part] of value.entries()) {
    const error = findError(part, schema.items, `${path}[${index}]`)
    if (error !== null) return error
  }
  return findBound(value.length, schema, `The number of ${path}`, ['minItems', 'maxItems'])
}

function findTextError(value: string, schema: Schema, path: string): string | null {
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value))
    return `${path} must match ${schema.pattern}.`
  return findBound(value.length, schema, `The length of ${path}`, ['minLength', 'maxLength'])
}

function findBound(
  value: number,
  schema: Schema,
  path: string,
  [low, high]: readonly [string, string],
): string | null {
  const [least, most] = [schema[low], schema[high]]
  if (typeof least === 'number' && value < least) return `${path} must be at least ${least}.`
  return typeof most === 'number' && value > most ? `${path} must be at most ${most}.` : null
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
