import { z } from 'zod'
import 'zod-openapi'
import { actor } from './actor.js'
import { answeredMoment, moment, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'

export const AuditLogRecord = z
  .object({
    id: resourceFields.id,
    at: answeredMoment().describe('When it happened (UTC).'),
    actor: actor().describe('Who did it.'),
    action: z.string().describe('What was done, for example `agent.update`.'),
    resourceType: z.string().nullable().describe('The type of the resource.'),
    resourceId: z.string().nullable().describe('The id of the resource.'),
    outcome: z.enum(['success', 'refused']).describe('Whether the action was allowed or refused.'),
    ipAddress: z.string().nullable().describe('The address the request came from.'),
    requestId: z.string().nullable().describe('The id of the request.'),
    details: z.record(z.string(), z.unknown()).describe('Further details. Never contains a secret.'),
    sequence: z
      .int()
      .nullable()
      .describe('The position in the chain. Null until the record is sealed, usually within seconds.'),
    hash: z
      .string()
      .nullable()
      .describe(
        'HMAC-SHA-256 over the previous hash and this record, in hex. Null until the record is sealed.',
      ),
    keyId: z
      .string()
      .nullable()
      .describe('The key of the hash. Null: plain SHA-256, from before hashes were keyed.'),
    signature: z
      .string()
      .nullable()
      .describe(
        'The keyed signature of the instance that wrote the record. Null if a version without signatures wrote it.',
      ),
    sealedAt: answeredMoment()
      .nullable()
      .describe('When the record was sealed (UTC). Null until then, and if an earlier version sealed it.'),
    sealProof: z
      .string()
      .nullable()
      .describe('HMAC-SHA-256 over the hash, the signature and the sealing time, in hex.'),
  })
  .meta({ id: 'AuditLogRecord', description: 'One record of the audit log. Records never change.' })

export const AuditLogPage = pageOf(AuditLogRecord, 'AuditLogRecord')

const filters = {
  From: moment().optional().describe('Only records at or after this time.'),
  To: moment().optional().describe('Only records before this time.'),
  Action: text(100).optional().describe('Only records of this action.'),
  ActorId: text(200).optional().describe('Only records of this actor.'),
  ResourceType: text(100).optional().describe('Only records of this resource type.'),
}

export const AuditLogListQuery = z.strictObject({ ...pageQuery, ...filters })

export const AuditLogExportQuery = z.strictObject({
  Format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .describe('The format: ndjson (one JSON object per line) or csv.'),
  ...filters,
})

/** A hash as `head` returns it. Empty if the head was read before the first record was sealed. */
const hash = () =>
  z.string().regex(/^(?:[0-9a-f]{64})?$/, {
    error: 'must be a hash as returned by the head: 64 hex digits, or empty if its sequence is 0',
  })

export const AuditLogChangeover = z
  .object({
    unsignedThrough: z.int().describe('The last record that was sealed before the upgrade.'),
    unsignedUntil: answeredMoment().describe(
      'Records of the earlier version are sealed without a signature until this time.',
    ),
    keyId: z.string().describe('The key that sealed this statement.'),
    seal: z.string().describe('HMAC-SHA-256 by that key over the organization and the other fields, in hex.'),
  })
  .meta({
    id: 'AuditLogChangeover',
    description:
      'Recorded once, by the upgrade that introduced signatures: the range of records that may lack one.',
  })

export const AuditLogHead = z
  .object({
    organizationId: z.string().describe('The organization of the chain.'),
    sequence: z.int().describe('The number of sealed records, which is the position of the last one.'),
    hash: z.string().nullable().describe('The hash of the last sealed record. Null if there is none.'),
    sealedAt: answeredMoment().nullable().describe('When this head was sealed (UTC).'),
    keyId: z.string().nullable().describe('The key that sealed this head.'),
    seal: z.string().nullable().describe('HMAC-SHA-256 by that key over all other fields, in hex.'),
    bareThrough: z
      .int()
      .describe('The position of the last record whose hash has no key. 0: every hash has one.'),
    removedThrough: z
      .int()
      .describe('The position of the last record removed by retention. 0: none was removed.'),
    removedHash: z
      .string()
      .nullable()
      .describe('The hash of that record. The kept chain continues after it. Null: none was removed.'),
    changeover: AuditLogChangeover.nullable().describe(
      'The upgrade that introduced signatures. Null: the organization was created later.',
    ),
  })
  .meta({
    id: 'AuditLogHead',
    description: 'The end of the chain. Keep it to check later whether the chain still contains it.',
  })

export const AuditLogVerifyQuery = z.strictObject({
  Sequence: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, { error: 'must be a whole number of at least 0' })
    .transform(Number)
    .optional()
    .meta({
      description: 'The sequence of a kept head, to check whether the chain still contains it.',
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 })
      },
    }),
  Hash: hash().optional().describe('The hash of that head. Empty if its sequence is 0.'),
})

export const AuditLogVerification = z
  .object({
    valid: z
      .boolean()
      .describe('Whether every sealed record is unchanged and none is missing, including the given head.'),
    checkedCount: z.int().describe('The number of sealed records that were checked.'),
    unsealedCount: z.int().describe('The number of records that are not sealed yet.'),
    brokenSequence: z
      .int()
      .nullable()
      .describe('The position of the first break in the chain. Null: no break.'),
    bareThrough: z
      .int()
      .describe('The position of the last record whose hash has no key. 0: every hash has one.'),
    removedThrough: z
      .int()
      .describe('The position of the last record removed by retention. 0: none was removed.'),
    heldHead: z
      .enum(['contained', 'missing', 'removed'])
      .nullable()
      .describe(
        'Whether the chain contains the given head, or the head is older than the kept records. Null: no head was given, or the chain breaks before it.',
      ),
    rejectedCount: z
      .int()
      .describe('The number of unsealed records that this service did not write. They are never sealed.'),
    rejectedIds: z.array(z.string()).describe('The ids of the first hundred such records.'),
    lateCount: z
      .int()
      .describe('The number of records that were sealed more than a minute after they were written.'),
    lateSequences: z.array(z.int()).describe('The positions of the first hundred such records.'),
    unsignedCount: z
      .int()
      .describe(
        'The number of records sealed without a signature, because an earlier version wrote them during an upgrade.',
      ),
    unsignedSequences: z.array(z.int()).describe('The positions of the first hundred such records.'),
    detail: z.string().describe('A description of the result.'),
  })
  .meta({ id: 'AuditLogVerification', description: 'The result of checking the chain.' })

export type AuditLogRecord = z.output<typeof AuditLogRecord>
export type AuditLogListQuery = z.output<typeof AuditLogListQuery>
export type AuditLogExportQuery = z.output<typeof AuditLogExportQuery>
export type AuditLogChangeover = z.output<typeof AuditLogChangeover>
export type AuditLogHead = z.output<typeof AuditLogHead>
export type AuditLogVerifyQuery = z.output<typeof AuditLogVerifyQuery>
export type AuditLogVerification = z.output<typeof AuditLogVerification>
