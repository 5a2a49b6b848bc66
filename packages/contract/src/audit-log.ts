import { z } from 'zod'
import 'zod-openapi'
import { actor } from './actor.js'
import { resourceFields, text, timestamp, timestampInput } from './field.js'
import { pageOf, pageQuery } from './page.js'

export const AuditLogRecord = z
  .object({
    id: resourceFields.id,
    at: timestamp().describe('When the action was performed (UTC).'),
    actor: actor().describe('The actor who performed the action.'),
    action: z.string().describe('The action, for example `agent.update`.'),
    resourceType: z
      .string()
      .nullable()
      .describe('The type of the resource. `null` if the action has no resource.'),
    resourceId: z
      .string()
      .nullable()
      .describe('The ID of the resource. `null` if the action has no resource.'),
    outcome: z
      .enum(['success', 'refused'])
      .describe('Whether the action succeeded (`success`) or was rejected (`refused`).'),
    ipAddress: z
      .string()
      .nullable()
      .describe('The IP address of the client. `null` if there was no request.'),
    requestId: z.string().nullable().describe('The ID of the request. `null` if there was no request.'),
    details: z.record(z.string(), z.unknown()).describe('Additional details. They never contain secrets.'),
    sequence: z
      .int()
      .nullable()
      .describe(
        'The position in the hash chain. `null` until the record is sealed, which usually takes a few seconds.',
      ),
    hash: z
      .string()
      .nullable()
      .describe(
        'The hex-encoded HMAC-SHA-256 of the previous hash and this record. `null` until the record is sealed.',
      ),
    keyId: z
      .string()
      .nullable()
      .describe(
        'The ID of the key of the hash. `null` if the hash is a plain SHA-256 from an earlier version, which did not use a key.',
      ),
    signature: z
      .string()
      .nullable()
      .describe(
        'The keyed signature of the instance that wrote the record. `null` if it was written by an earlier version without signatures.',
      ),
    sealedAt: timestamp()
      .nullable()
      .describe(
        'When the record was sealed (UTC). `null` if it is not sealed yet, or if an earlier version sealed it.',
      ),
    sealProof: z
      .string()
      .nullable()
      .describe(
        'The hex-encoded HMAC-SHA-256 of the hash, the signature and the sealing time. `null` if `sealedAt` is `null`.',
      ),
  })
  .meta({ id: 'AuditLogRecord', description: 'A record of the audit log. Records are immutable.' })

export const AuditLogPage = pageOf(AuditLogRecord, 'AuditLogRecord')

const filters = {
  From: timestampInput().optional().describe('Only return records at or after this time.'),
  To: timestampInput().optional().describe('Only return records before this time.'),
  Action: text(100).optional().describe('Only return records with this action.'),
  ActorId: text(200).optional().describe('Only return records of this actor.'),
  ResourceType: text(100).optional().describe('Only return records with this resource type.'),
}

export const AuditLogListQuery = z.strictObject({ ...pageQuery, ...filters })

export const AuditLogExportQuery = z.strictObject({
  Format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .describe('The export format: `ndjson` (one JSON object per line) or `csv`.'),
  ...filters,
})

/** A hash that `AuditLog/head` returned. Empty if no record was sealed at that time. */
const hash = () =>
  z.string().regex(/^(?:[0-9a-f]{64})?$/, {
    error: 'must be a hash with 64 hex digits, or empty if the sequence is 0',
  })

export const AuditLogChangeover = z
  .object({
    unsignedThrough: z.int().describe('The position of the last record that was sealed before the upgrade.'),
    unsignedUntil: timestamp().describe(
      'The end of the period in which records from the earlier version can be sealed without a signature (UTC).',
    ),
    keyId: z.string().describe('The ID of the key that sealed this statement.'),
    seal: z
      .string()
      .describe(
        'The hex-encoded HMAC-SHA-256 of the organization ID and the other fields, made with this key.',
      ),
  })
  .meta({
    id: 'AuditLogChangeover',
    description:
      'The range of records that may have no signature. It is recorded once, by the upgrade that introduced signatures.',
  })

export const AuditLogHead = z
  .object({
    organizationId: z.string().describe('The ID of the organization.'),
    sequence: z.int().describe('The position of the last sealed record. `0` if there is none.'),
    hash: z.string().nullable().describe('The hash of the last sealed record. `null` if there is none.'),
    sealedAt: timestamp()
      .nullable()
      .describe('When this head was sealed (UTC). `null` if it was not sealed.'),
    keyId: z
      .string()
      .nullable()
      .describe('The ID of the key that sealed this head. `null` if it was not sealed.'),
    seal: z
      .string()
      .nullable()
      .describe(
        'The hex-encoded HMAC-SHA-256 of all other fields, made with this key. `null` if it was not sealed.',
      ),
    bareThrough: z
      .int()
      .describe('The position of the last record whose hash is not keyed. `0` if all hashes are keyed.'),
    removedThrough: z
      .int()
      .describe('The position of the last record that was deleted by retention. `0` if none was deleted.'),
    removedHash: z
      .string()
      .nullable()
      .describe(
        'The hash of the last deleted record, after which the remaining chain continues. `null` if none was deleted.',
      ),
    changeover: AuditLogChangeover.nullable().describe(
      'The upgrade that introduced signatures. `null` if the organization was created later.',
    ),
  })
  .meta({
    id: 'AuditLogHead',
    description:
      'The head of the hash chain. Store it outside of the service to verify later that the chain still contains it.',
  })

export const AuditLogVerifyQuery = z.strictObject({
  Sequence: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, { error: 'must be a non-negative integer' })
    .transform(Number)
    .optional()
    .meta({
      description: 'The `sequence` of a stored head, to verify that the chain still contains it.',
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 })
      },
    }),
  Hash: hash().optional().describe('The `hash` of the stored head. Empty if its sequence is 0.'),
})

export const AuditLogVerification = z
  .object({
    valid: z
      .boolean()
      .describe(
        'Whether the chain is intact: no sealed record was changed or is missing, and it contains the given head.',
      ),
    checkedCount: z.int().describe('The number of sealed records that were checked.'),
    unsealedCount: z.int().describe('The number of records that have not been sealed yet.'),
    brokenSequence: z
      .int()
      .nullable()
      .describe('The position of the first break in the chain. `null` if the chain is intact.'),
    bareThrough: z
      .int()
      .describe('The position of the last record whose hash is not keyed. `0` if all hashes are keyed.'),
    removedThrough: z
      .int()
      .describe('The position of the last record that was deleted by retention. `0` if none was deleted.'),
    heldHead: z
      .enum(['contained', 'missing', 'removed'])
      .nullable()
      .describe(
        'Whether the chain contains the given head (`contained`), does not contain it (`missing`), or no longer contains it because of retention (`removed`). `null` if no head was given, or if the chain breaks before it.',
      ),
    rejectedCount: z
      .int()
      .describe(
        'The number of unsealed records that were not written by this service. They are never sealed.',
      ),
    rejectedIds: z.array(z.string()).describe('The IDs of the first 100 rejected records.'),
    lateCount: z
      .int()
      .describe(
        'The number of late records, which were sealed more than one minute after they were written.',
      ),
    lateSequences: z.array(z.int()).describe('The positions of the first 100 late records.'),
    unsignedCount: z
      .int()
      .describe(
        'The number of records that were sealed without a signature, because an earlier version wrote them during an upgrade.',
      ),
    unsignedSequences: z.array(z.int()).describe('The positions of the first 100 unsigned records.'),
    detail: z.string().describe('A description of the result.'),
  })
  .meta({ id: 'AuditLogVerification', description: 'The result of verifying the hash chain.' })

export type AuditLogRecord = z.output<typeof AuditLogRecord>
export type AuditLogListQuery = z.output<typeof AuditLogListQuery>
export type AuditLogExportQuery = z.output<typeof AuditLogExportQuery>
export type AuditLogChangeover = z.output<typeof AuditLogChangeover>
export type AuditLogHead = z.output<typeof AuditLogHead>
export type AuditLogVerifyQuery = z.output<typeof AuditLogVerifyQuery>
export type AuditLogVerification = z.output<typeof AuditLogVerification>
