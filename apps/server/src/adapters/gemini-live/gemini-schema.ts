import { type Fields, fieldsOf, isFields, listOf } from '../realtime-dialects/json-fields.js'

/** Keywords that mean the same in JSON Schema and in Gemini's schemas. */
const shared = [
  'title',
  'description',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
]

/** Schemas of tools are not nested deeper. */
const maxDepth = 32

/**
 * Converts a JSON Schema to Gemini's schemas, which are a part of OpenAPI's. Other keywords are left out, because Gemini
 * closes a session with keywords that it does not know. The service validates the arguments against the original schema.
 */
export function geminiSchema(schema: unknown, depth = 0): Fields {
  const given = fieldsOf(schema)
  if (depth > maxDepth) return { type: 'OBJECT' }
  const convert = (inner: unknown) => geminiSchema(inner, depth + 1)
  const types = [given.type].flat().filter((type) => typeof type === 'string')
  const [type] = types.filter((name) => name !== 'null')
  const choices = [...listOf(given.anyOf), ...listOf(given.oneOf)]
  const named = choices.filter((choice) => choice.type !== 'null')
  const isNullable = types.includes('null') || named.length < choices.length || given.nullable === true
  const allowed = Array.isArray(given.enum) ? given.enum : 'const' in given ? [given.const] : []
  const texts = allowed.filter((value) => typeof value === 'string')
  return {
    ...Object.fromEntries(shared.filter((name) => name in given).map((name) => [name, given[name]])),
    ...(type !== undefined && { type: type.toUpperCase() }),
    ...(isNullable && { nullable: true }),
    ...(texts.length > 0 && { type: 'STRING', enum: texts }),
    ...(named.length > 0 && { anyOf: named.map(convert) }),
    ...(isFields(given.items) && { items: convert(given.items) }),
    ...(isFields(given.properties) && {
      properties: Object.fromEntries(
        Object.entries(given.properties).map(([name, inner]) => [name, convert(inner)]),
      ),
    }),
    ...(Array.isArray(given.required) && given.required.length > 0 && { required: given.required }),
  }
}
