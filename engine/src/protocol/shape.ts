import {
  invalidRequest,
  missingParameter,
  type ProtocolError,
  unknownParameter,
  wrongType,
  wrongValue,
} from './protocol-error.js'

/** What a value of the protocol must look like. */
export type Shape =
  | { readonly kind: 'string'; readonly values?: readonly string[]; readonly maxLength?: number }
  | { readonly kind: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'anything' }
  | { readonly kind: 'null' }
  | { readonly kind: 'map' }
  | { readonly kind: 'array'; readonly items: Shape }
  | { readonly kind: 'object'; readonly fields: Fields; readonly required: readonly string[] }
  | { readonly kind: 'tagged'; readonly tag: string; readonly members: Readonly<Record<string, Shape>> }
  /** The first member whose JSON type is the value's decides. */
  | { readonly kind: 'either'; readonly members: readonly Shape[] }

export type Fields = Readonly<Record<string, Shape>>

export const text: Shape = { kind: 'string' }
export const boolean: Shape = { kind: 'boolean' }
export const anything: Shape = { kind: 'anything' }
export const map: Shape = { kind: 'map' }
export const oneOf = (...values: readonly string[]): Shape => ({ kind: 'string', values })
export const integer = (min?: number, max?: number): Shape => number(min, max, true)
export const number = (min?: number, max?: number, isInteger = false): Shape => ({
  kind: 'number',
  isInteger,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
})
export const array = (items: Shape): Shape => ({ kind: 'array', items })
export const object = (fields: Fields, required: readonly string[] = []): Shape => ({
  kind: 'object',
  fields,
  required,
})
export const tagged = (tag: string, members: Readonly<Record<string, Shape>>): Shape => ({
  kind: 'tagged',
  tag,
  members,
})
export const either = (...members: readonly Shape[]): Shape => ({ kind: 'either', members })
export const nullable = (shape: Shape): Shape => either({ kind: 'null' }, shape)

/** The first thing that is wrong with a value, or null. */
export function findMistake(shape: Shape, value: unknown, path: string): ProtocolError | null {
  switch (shape.kind) {
    case 'anything':
      return null
    case 'null':
      return value === null ? null : wrongType(path, 'null', value)
    case 'boolean':
      return typeof value === 'boolean' ? null : wrongType(path, 'a boolean', value)
    case 'map':
      return isRecord(value) ? null : wrongType(path, 'an object', value)
    case 'string':
      return findStringMistake(shape, value, path)
    case 'number':
      return findNumberMistake(shape, value, path)
    case 'array':
      return findArrayMistake(shape.items, value, path)
    case 'object':
      return findObjectMistake(shape.fields, shape.required, value, path)
    case 'tagged':
      return findTaggedMistake(shape, value, path)
    case 'either':
      return findMistake(chooseMember(shape.members, value), value, path)
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Of<Kind extends Shape['kind']> = Extract<Shape, { kind: Kind }>

function findStringMistake(shape: Of<'string'>, value: unknown, path: string): ProtocolError | null {
  if (typeof value !== 'string') return wrongType(path, 'a string', value)
  if (shape.values !== undefined && !shape.values.includes(value))
    return wrongValue(path, value, shape.values)
  if (shape.maxLength !== undefined && value.length > shape.maxLength) {
    const message = `Invalid '${path}': string too long. Expected a string with maximum length ${shape.maxLength}, but got a string with length ${value.length} instead.`
    return invalidRequest('string_above_max_length', message, path)
  }
  return null
}

function findNumberMistake(shape: Of<'number'>, value: unknown, path: string): ProtocolError | null {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType(path, 'a number', value)
  if (shape.isInteger === true && !Number.isInteger(value)) return wrongType(path, 'an integer', value)
  const kind = shape.isInteger === true ? 'integer' : 'decimal'
  if (shape.min !== undefined && value < shape.min)
    return outOfBounds(path, kind, 'below', 'minimum', `>= ${shape.min}`, value)
  if (shape.max !== undefined && value > shape.max)
    return outOfBounds(path, kind, 'above', 'maximum', `<= ${shape.max}`, value)
  return null
}

function outOfBounds(
  path: string,
  kind: string,
  side: string,
  bound: string,
  wanted: string,
  value: number,
): ProtocolError {
  const message = `Invalid '${path}': ${kind} ${side} ${bound} value. Expected a value ${wanted}, but got ${value} instead.`
  return invalidRequest(`${kind}_${side}_${bound.slice(0, 3)}_value`, message, path)
}

function findArrayMistake(items: Shape, value: unknown, path: string): ProtocolError | null {
  if (!Array.isArray(value)) return wrongType(path, 'an array', value)
  for (const [index, item] of value.entries()) {
    const mistake = findMistake(items, item, `${path}[${index}]`)
    if (mistake !== null) return mistake
  }
  return null
}

function findObjectMistake(
  fields: Fields,
  required: readonly string[],
  value: unknown,
  path: string,
): ProtocolError | null {
  if (!isRecord(value)) return wrongType(path, 'an object', value)
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`)
  const missing = required.find((name) => value[name] === undefined)
  if (missing !== undefined) return missingParameter(pathOf(missing))
  for (const [name, field] of Object.entries(value)) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (shape === undefined) return unknownParameter(pathOf(name))
    const mistake = findMistake(shape, field, pathOf(name))
    if (mistake !== null) return mistake
  }
  return null
}

function findTaggedMistake(shape: Of<'tagged'>, value: unknown, path: string): ProtocolError | null {
  if (!isRecord(value)) return wrongType(path, 'an object', value)
  const tagPath = path === '' ? shape.tag : `${path}.${shape.tag}`
  const tag = value[shape.tag]
  if (tag === undefined) return missingParameter(tagPath)
  if (typeof tag !== 'string') return wrongType(tagPath, 'a string', tag)
  const member = Object.hasOwn(shape.members, tag) ? shape.members[tag] : undefined
  if (member === undefined) return wrongValue(tagPath, tag, Object.keys(shape.members))
  return findMistake(member, value, path)
}

/** Where no member takes the value's type, the last one is the one to complain: it is what people mean. */
function chooseMember(members: readonly Shape[], value: unknown): Shape {
  return members.find((member) => takesTypeOf(member, value)) ?? members.at(-1) ?? anything
}

function takesTypeOf(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case 'anything':
      return true
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
    case 'map':
    case 'tagged':
      return isRecord(value)
    case 'either':
      return shape.members.some((member) => takesTypeOf(member, value))
    default:
      return typeof value === shape.kind
  }
}
