import { changedFieldsHeader, type Operation } from '@parley/contract'
import fastJson from 'fast-json-stringify'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { IfMatch } from '../../../domain/resources/resource.js'

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
    // The serializer is built on first use, because the schemas of all operations would delay the start by
    // 100 ms or more.
    write = fastJson(writableSchemaOf(schema))
    writers.set(schema, write)
  }
  return write(value)
}

/** Returns the same as a value, for responses that are stored or sent inside another message. */
export function answerValue<Answer extends z.ZodType>(schema: Answer, value: unknown): z.output<Answer> {
  return JSON.parse(answerText(schema, value))
}

function writableSchemaOf(schema: z.ZodType): fastJson.Schema {
  // Without names, so that shared schemas are written in place and need no references.
  return writable(z.toJSONSchema(schema, { target: 'draft-7', metadata: z.registry() })) as fastJson.Schema
}

/**
 * Keeps only the keywords that affect how a value is written, because other keywords slow down the writer.
 * Validation selects the member of a union. Its fields with a default are not required here, because a stored
 * value may lack them.
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

export function etagOf(version: number): string {
  return `"${version}"`
}

/** Returns the versions in If-Match. A weak prefix is ignored. An invalid version matches nothing. */
export function ifMatchOf(request: FastifyRequest): IfMatch {
  const header = request.headers['if-match']
  if (header === undefined) return null
  return header.split(',').map((part) => {
    const tag = part.trim()
    return tag === '*' ? tag : (/^(?:W\/)?"([^"]*)"$/.exec(tag)?.[1] ?? '')
  })
}

/** Whether the request is a dry run. */
export function isDryRun(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'DryRun' in query && query.DryRun === true
}

/** Sends the result of a dry run, without a version and without a secret, because neither exists. */
export function sendDryRun(
  reply: FastifyReply,
  operation: Pick<Operation, 'status' | 'response'>,
  result: unknown,
): FastifyReply {
  reply.code(operation.status)
  if (!operation.response) return reply.send()
  const fields = new Map(Object.entries(result ?? {}))
  const changed = fields.get('changed')
  if (Array.isArray(changed)) reply.header(changedFieldsHeader, changed.join(','))
  if (fields.has('secret')) fields.set('secret', '')
  return reply.send(Object.fromEntries(fields))
}
