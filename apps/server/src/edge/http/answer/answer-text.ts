import fastJson from 'fast-json-stringify'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema
type Write = (value: unknown) => string

const writers = new WeakMap<z.ZodType, Write>()

/**
 * Returns the JSON of an answer: exactly the fields that the contract declares, with its defaults for missing ones.
 * Throws if a required field is missing. Formats and lengths were checked when the value was stored.
 */
export function answerText(schema: z.ZodType, value: unknown): string {
  let write = writers.get(schema)
  if (write === undefined) {
    // On first use: the schemas of all operations take 100 ms and more, too long for a start.
    write = fastJson(writableSchemaOf(schema))
    writers.set(schema, write)
  }
  return write(value)
}

/** Returns the same as a value, for answers that are stored or sent inside another message. */
export function answerValue<Answer extends z.ZodType>(schema: Answer, value: unknown): z.output<Answer> {
  return JSON.parse(answerText(schema, value))
}

function writableSchemaOf(schema: z.ZodType): fastJson.Schema {
  // Without names, so that shared schemas are written in place and need no references.
  return writable(z.toJSONSchema(schema, { target: 'draft-7', metadata: z.registry() })) as fastJson.Schema
}

/**
 * Keeps only the keywords that decide how a value is written, since any other one slows the writer down. A form of a union
 * is found by validation, so its fields with a default are not required there: a stored value may lack them.
 */
function writable(schema: JsonSchema, isInForm = false): JsonSchema {
  const { type, properties = {}, required, items, additionalProperties, anyOf, oneOf } = schema
  const forms = (anyOf ?? oneOf ?? []) as readonly JsonSchema[]
  const [form, ...others] = forms.filter((each) => each.type !== 'null')
  const isNullable = forms.length === 2 && others.length === 0
  const inner = (each: unknown) => writable(each as JsonSchema, isInForm)
  const isRequired = (name: string) => !isInForm || inner(properties[name]).default === undefined
  return {
    ...(type && { type }),
    ...(schema.const !== undefined && { const: schema.const }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(type === 'object' && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inner(each)])),
    }),
    ...(required && { required: required.filter(isRequired) }),
    ...(items && { items: inner(items) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
    ...(form && isNullable && { ...inner(form), nullable: true }),
    ...(form && !isNullable && { anyOf: forms.map((each) => writable(each, true)) }),
  }
}
