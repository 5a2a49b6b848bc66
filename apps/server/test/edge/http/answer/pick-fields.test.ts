import { readFileSync } from 'node:fs'
import { allOperations, personOperations } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { pickFields } from '#server/edge/http/answer/pick-fields.js'

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
  return operation.answer && example !== undefined
    ? [[operation.operationId, { schema: operation.answer, example }] as const]
    : []
})

/** The value with a secret in each of its objects that has fields of a schema. */
function withSecrets(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return value === null || value === undefined ? value : withSecrets(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => withSecrets(schema.element, item))
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, field]) => [name, withSecrets(schema.shape[name], field)])
  // What is strict refuses them, and then nothing is answered at all.
  const secrets = schema.def.catchall === undefined ? { sealedApiKey: 'a secret' } : {}
  return { ...Object.fromEntries(fields), ...secrets }
}

describe('[PERF-5] what is answered', () => {
  test('has an example for most calls', () => expect(answers.length).toBeGreaterThan(50))

  test.each(answers)('is what the contract names, field by field, and nothing besides: %s', (_, answer) => {
    const { schema, example } = answer
    const parsed = schema.parse(example)
    expect(pickFields(schema, example)).toEqual(parsed)
    const picked = pickFields(schema, withSecrets(schema, example))
    expect(picked).toEqual(parsed)
    expect(JSON.stringify(picked)).not.toContain('a secret')
  })

  test('is parsed by its schema where it may have several forms', () => {
    const form = z.object({ of: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) })
    expect(pickFields(form, { of: { b: 'b', hash: 'h' }, hash: 'h' })).toEqual({ of: { b: 'b' } })
    expect(() => pickFields(form, { of: { c: 'c' } })).toThrow()
    expect(() => pickFields(z.object({ items: z.array(z.string()) }), { items: null })).toThrow()
  })
})
