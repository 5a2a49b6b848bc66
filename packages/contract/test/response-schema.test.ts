import { ResponseSchema } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

describe('ResponseSchema', () => {
  test('accepts the schemas that zod writes [ASK-18]', () => {
    const booking = z.object({
      guests: z.int(),
      room: z.enum(['small', 'large']),
      email: z.email().optional(),
      arrival: z.iso.datetime(),
      note: z.string().nullable(),
      tags: z.array(z.string()).max(3),
      prices: z.record(z.string(), z.number()),
      extra: z.union([z.string(), z.object({ kind: z.literal('bed') })]),
      language: z.string().default('en'),
    })
    expect(ResponseSchema.safeParse(z.toJSONSchema(booking)).error).toBeUndefined()
  })

  test('rejects references and deep nesting without exhausting the stack [ASK-18]', () => {
    const tree: z.ZodType = z.object({ get: z.lazy(() => tree.optional()) })
    expect(ResponseSchema.safeParse(z.toJSONSchema(tree)).success).toBe(false)
    let deep: Record<string, unknown> = { type: 'object' }
    for (let level = 0; level < 100_000; level += 1) deep = { type: 'object', items: deep }
    expect(ResponseSchema.safeParse(deep).error?.issues[0]?.message).toContain('levels')
  })
})
