import { readFileSync } from 'node:fs'
import { allOperations, personOperations } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answerText } from '#server/edge/http/answer/send-answer.js'

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>
}

interface DescribedCall {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Example>> }>>
}

interface Example {
  readonly example?: unknown
}

const contract = new URL('../../../../../../packages/contract/openapi.json', import.meta.url)
const { paths }: Described = JSON.parse(readFileSync(contract, 'utf8'))

const answers = [...allOperations, ...Object.values(personOperations)].flatMap((operation) => {
  const call = paths[operation.path]?.[operation.method.toLowerCase()]
  const example = call?.responses[operation.status]?.content?.['application/json']?.example
  return operation.response && example !== undefined
    ? [[operation.operationId, { schema: operation.response, example }] as const]
    : []
})

/** Returns the value with a secret in each of its objects. */
function withSecrets(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return value === null || value === undefined ? value : withSecrets(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withSecrets(schema.element, item))
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withSecrets(schema.shape[name], field)])
  // A record or an open object would keep the secret.
  const isOpen = schema.def.catchall !== undefined && !(schema.def.catchall instanceof z.ZodNever)
  return { ...Object.fromEntries(fields), ...(!isOpen && { sealedApiKey: 'a secret' }) }
}

const answered = (schema: z.ZodType, value: unknown): unknown => JSON.parse(answerText(schema, value))

describe('answerText', () => {
  test('finds an example for most operations', () => expect(answers.length).toBeGreaterThan(88))

  test.each(answers)('writes exactly the fields of the contract: %s [PERF-5]', (_, answer) => {
    const { schema, example } = answer
    const parsed = schema.parse(example)
    expect(answered(schema, example)).toEqual(parsed)
    const text = answerText(schema, withSecrets(schema, example))
    expect(JSON.parse(text)).toEqual(parsed)
    expect(text).not.toContain('a secret')
  })

  test('writes the variant of a union that matches the value', () => {
    const form = z.object({ of: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) })
    expect(answered(form, { of: { b: 'b', hash: 'h' }, hash: 'h' })).toEqual({ of: { b: 'b' } })
    expect(() => answerText(form, { of: { c: 'c' } })).toThrow()
    expect(() => answerText(z.object({ items: z.array(z.string()) }), { items: 'text' })).toThrow()
  })

  test('writes the default of a missing field, also inside a union', () => {
    const label = z.string().nullable().default(null)
    const schema = z.object({
      label,
      limit: z.int().default(3),
      of: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('a'), label }),
        z.strictObject({ kind: z.literal('b'), more: z.object({ names: z.array(z.string()).default([]) }) }),
      ]),
    })
    const defaults = { label: null, limit: 3 }
    expect(answered(schema, { of: { kind: 'a' } })).toEqual({ ...defaults, of: { kind: 'a', label: null } })
    expect(answered(schema, { of: { kind: 'b', more: {} } })).toEqual({
      ...defaults,
      of: { kind: 'b', more: { names: [] } },
    })
  })

  test('writes null only for nullable fields, and throws if a required field is missing', () => {
    const schema = z.object({ name: z.string(), of: z.object({ a: z.string() }).nullable() })
    expect(answered(schema, { name: 'n', of: null })).toEqual({ name: 'n', of: null })
    expect(() => answerText(schema, { name: 'n' })).toThrow('required')
  })

  test('writes free-form values unchanged', () => {
    const schema = z.object({ details: z.record(z.string(), z.unknown()), any: z.unknown() })
    const value = { details: { a: [1, { b: null }], 'ü"': 'x' }, any: [{ deep: true }] }
    expect(answered(schema, value)).toEqual(value)
  })
})
