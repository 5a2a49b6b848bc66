import { isRecord } from './session-event.js'

type Schema = Readonly<Record<string, unknown>>

/**
 * Validates a value against the supported part of JSON Schema: types, enum, const, properties, required,
 * additionalProperties, items, bounds, lengths and pattern. Returns the first error, or null if the value is valid. Other
 * keywords are ignored.
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
  return findCountError(value.length, schema, path, { low: 'minItems', high: 'maxItems', unit: 'items' })
}

function findTextError(value: string, schema: Schema, path: string): string | null {
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern, 'u').test(value))
    return `${path} must match ${schema.pattern}.`
  return findCountError(value.length, schema, path, {
    low: 'minLength',
    high: 'maxLength',
    unit: 'characters',
  })
}

function findBound(
  value: number,
  schema: Schema,
  path: string,
  [low, high]: readonly [string, string],
): string | null {
  const [min, max] = [schema[low], schema[high]]
  if (typeof min === 'number' && value < min) return `${path} must be at least ${min}.`
  return typeof max === 'number' && value > max ? `${path} must be at most ${max}.` : null
}

interface CountLimits {
  readonly low: string
  readonly high: string
  readonly unit: string
}

function findCountError(
  count: number,
  schema: Schema,
  path: string,
  { low, high, unit }: CountLimits,
): string | null {
  const [min, max] = [schema[low], schema[high]]
  if (typeof min === 'number' && count < min) return `${path} must have at least ${min} ${unit}.`
  return typeof max === 'number' && count > max ? `${path} must have at most ${max} ${unit}.` : null
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
