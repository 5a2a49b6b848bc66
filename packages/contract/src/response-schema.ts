import { z } from 'zod'

const maxBytes = 16_384
const maxDepth = 8
const maxProperties = 200

const typeName = z.enum(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'])
const size = z.int().min(0).optional()
const bound = z.number().optional()
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** The supported part of JSON Schema. Text models and the validator agree on it. */
const SchemaNode = z.strictObject({
  $schema: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  type: z.union([typeName, z.array(typeName).min(1)]).optional(),
  get properties() {
    return z.record(z.string(), SchemaNode).optional()
  },
  required: z.array(z.string()).optional(),
  get additionalProperties(): z.ZodOptional<z.ZodUnion<readonly [z.ZodBoolean, typeof SchemaNode]>> {
    return z.union([z.boolean(), SchemaNode]).optional()
  },
  get propertyNames(): z.ZodOptional<typeof SchemaNode> {
    return SchemaNode.optional()
  },
  get items(): z.ZodOptional<typeof SchemaNode> {
    return SchemaNode.optional()
  },
  get anyOf(): z.ZodOptional<z.ZodArray<typeof SchemaNode>> {
    return z.array(SchemaNode).min(1).optional()
  },
  enum: z.array(scalar).min(1).optional(),
  const: scalar.optional(),
  default: z.unknown().optional(),
  minimum: bound,
  maximum: bound,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: z.number().positive().optional(),
  minLength: size,
  maxLength: size,
  minItems: size,
  maxItems: size,
  pattern: z.string().refine(isPattern, { error: 'must be a regular expression' }).optional(),
  format: z
    .enum(['date-time', 'date', 'time', 'duration', 'email', 'uri', 'uuid', 'hostname', 'ipv4', 'ipv6'])
    .optional(),
})

export const ResponseSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    for (const { path, message } of findProblems(schema))
      context.addIssue({ code: 'custom', path: [...path], message })
  })
  .meta({
    id: 'ResponseSchema',
    description:
      'A JSON Schema for the answer. Its `type` is `object`. Supported: `type`, `title`, `description`, `properties`, `required`, `additionalProperties`, `propertyNames`, `items`, `anyOf`, `enum`, `const`, `default`, and the limits of numbers, strings and arrays, `pattern` and `format`. References are not supported. At most 16 KiB, 8 levels and 200 properties.',
    examples: [
      {
        type: 'object',
        properties: { sentiment: { enum: ['good', 'bad'] }, score: { type: 'integer' } },
        required: ['sentiment', 'score'],
        additionalProperties: false,
      },
    ],
  })

export const responseSchemaField = ResponseSchema.nullable()
  .default(null)
  .describe(
    'A JSON Schema for the answer. `output` then contains a value that matches it, or the request fails with `ResponseSchemaNotMet`. `null` if the answer is text.',
  )

export const outputField = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe('The answer as a value that matches `responseSchema`. `null` if there is none.')

interface SchemaProblem {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

function findProblems(schema: Readonly<Record<string, unknown>>): readonly SchemaProblem[] {
  const whole = (message: string) => [{ path: [], message }]
  const { depth, properties } = sizeOf(schema)
  if (depth > maxDepth) return whole(`must have at most ${maxDepth} levels of schemas`)
  if (properties > maxProperties) return whole(`must have at most ${maxProperties} properties`)
  if (new TextEncoder().encode(JSON.stringify(schema)).length > maxBytes)
    return whole(`must be at most ${maxBytes} bytes of JSON`)
  if (schema.type !== 'object') return [{ path: ['type'], message: 'must be "object"' }]
  return SchemaNode.safeParse(schema).error?.issues ?? []
}

/** Counts levels of schemas only as far as the limit, so that deep nesting cannot exhaust the stack. */
function sizeOf(node: unknown, level = 1): { readonly depth: number; readonly properties: number } {
  if (typeof node !== 'object' || node === null || level > maxDepth) return { depth: level, properties: 0 }
  const { properties, propertyNames, items, additionalProperties, anyOf } = node as Record<string, unknown>
  const named = Object.values(properties ?? {})
  const inner = [...named, propertyNames, items, additionalProperties, ...(Array.isArray(anyOf) ? anyOf : [])]
  const sizes = inner
    .filter((each) => typeof each === 'object' && each !== null)
    .map((each) => sizeOf(each, level + 1))
  return {
    depth: Math.max(level, ...sizes.map(({ depth }) => depth)),
    properties: sizes.reduce((sum, each) => sum + each.properties, named.length),
  }
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u')
    return true
  } catch {
    return false
  }
}

export type ResponseSchema = z.output<typeof ResponseSchema>
