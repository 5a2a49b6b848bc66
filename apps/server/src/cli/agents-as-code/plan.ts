import { z } from 'zod'
import { kindNames } from './kept-kind.js'

const FieldChange = z.strictObject({
  path: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
})

const PlannedChange = z.strictObject({
  action: z.enum(['create', 'update', 'delete']),
  kind: z.enum(kindNames),
  externalId: z.string(),
  name: z.string(),
  /** Of what is there; null for what is new. */
  id: z.string().nullable(),
  /** The version that was looked at: the change is made to no other. */
  etag: z.string().nullable(),
  /** Where the entry stands; null for what is deleted. */
  file: z.string().nullable(),
  line: z.number().nullable(),
  fields: z.array(FieldChange),
  /** What a person should know before it happens. */
  notes: z.array(z.string()),
})

/** What would be done. It holds no secret: not what is stored, and not what the environment has. */
export const Plan = z.strictObject({
  format: z.literal('parley-plan-1'),
  url: z.string(),
  organizationId: z.string(),
  set: z.string(),
  changes: z.array(PlannedChange),
  unchanged: z.number(),
  /** What has the mark of the set and is in the files no more, where it is not to be deleted. */
  left: z.array(z.strictObject({ kind: z.enum(kindNames), externalId: z.string() })),
})

export type Plan = Readonly<z.output<typeof Plan>>
export type PlannedChange = Readonly<z.output<typeof PlannedChange>>
