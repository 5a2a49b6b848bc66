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
    resourceType: z.string().nullable().describe('The kind of thing it was done to.'),
    resourceId: z.string().nullable().describe('The id of the thing it was done to.'),
    outcome: z.enum(['success', 'refused']).describe('Whether it was done or refused.'),
    ipAddress: z.string().nullable().describe('The address the request came from.'),
    requestId: z.string().nullable().describe('The id of the request.'),
    details: z.record(z.string(), z.unknown()).describe('What else is worth knowing; never a secret.'),
    sequence: z.int().nullable().describe('Its place in the chain; null until it is sealed, a moment later.'),
    hash: z
      .string()
      .nullable()
      .describe('HMAC-SHA-256 over the previous hash and this record, in hex; null until it is sealed.'),
    keyId: z
      .string()
      .nullable()
      .describe('Which key the hash was made with; null for a bare SHA-256, as before hashes had a key.'),
    signature: z
      .string()
      .nullable()
      .describe(
        'The keyed signature of the instance that wrote the record; null if a version without signatures wrote it.',
      ),
    sealedAt: answeredMoment()
      .nullable()
      .describe('When the record was sealed (UTC); null until then, and if an earlier version sealed it.'),
    sealProof: z
      .string()
      .nullable()
      .describe('HMAC-SHA-256 over the hash, the signature and the time of sealing, in hex.'),
  })
  .meta({ id: 'AuditLogRecord', description: 'One entry of the audit log. Entries are never changed.' })

export const AuditLogPage = pageOf(AuditLogRecord, 'AuditLogRecord')

const filters = {
  From: moment().optional().describe('Only entries at or after this moment.'),
  To: moment().optional().describe('Only entries before this moment.'),
  Action: text(100).optional().describe('Only entries of this action.'),
  ActorId: text(200).optional().describe('Only entries of this actor.'),
  ResourceType: text(100).optional().describe('Only entries about this kind of thing.'),
}

export const AuditLogListQuery = z.strictObject({ ...pageQuery, ...filters })

export const AuditLogExportQuery = z.strictObject({
  Format: z
    .enum(['ndjson', 'csv'])
    .default('ndjson')
    .describe('One JSON object a line, or comma separated values.'),
  ...filters,
})

/** What `head` answers, written as it is read again; nothing where it was fetched before the first record was sealed. */
const hash = () =>
  z.string().regex(/^(?:[0-9a-f]{64})?$/, {
    error: 'must be a hash as the head has it: 64 digits of 0-9 and a-f, or nothing where its sequence is 0',
  })

export const AuditLogChangeover = z
  .object({
    unsignedThrough: z.int().describe('The last record that was sealed before the upgrade.'),
    unsignedUntil: answeredMoment().describe(
      'Until this moment records of the earlier version are sealed without a signature.',
    ),
    keyId: z.string().describe('The key that this statement was sealed with.'),
    seal: z
      .string()
      .describe('HMAC-SHA-256 over the organization and the other fields, by that key, in hex.'),
  })
  .meta({
    id: 'AuditLogChangeover',
    description: 'States once, at the upgrade that introduced signatures, how far records may lack one.',
  })

export const AuditLogHead = z
  .object({
    organizationId: z.string().describe('Whose chain it is.'),
    sequence: z.int().describe('How many records were sealed so far: the place of the last one.'),
    hash: z.string().nullable().describe('The hash of the last sealed record; null where there is none.'),
    sealedAt: answeredMoment().nullable().describe('When this head was sealed (UTC).'),
    keyId: z.string().nullable().describe('Which key it was sealed with.'),
    seal: z.string().nullable().describe('HMAC-SHA-256 over all other fields, by that key, in hex.'),
    bareThrough: z
      .int()
      .describe('The last record of the time before hashes had a key; 0 where every record has one.'),
    removedThrough: z
      .int()
      .describe('The last record that was removed after its time; 0 where all are there.'),
    removedHash: z
      .string()
      .nullable()
      .describe('The hash of that record, behind which the chain goes on; null where all are there.'),
    changeover: AuditLogChangeover.nullable().describe(
      'The upgrade that introduced signatures; null if the organization is newer than that.',
    ),
  })
  .meta({
    id: 'AuditLogHead',
    description:
      'The end of the chain. Whoever holds one can tell later whether the chain still contains it.',
  })

export const AuditLogVerifyQuery = z.strictObject({
  Sequence: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, { error: 'must be a whole number, 0 or above' })
    .transform(Number)
    .optional()
    .meta({
      description: 'The sequence of a head that you held, to learn whether the chain still contains it.',
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 })
      },
    }),
  Hash: hash().optional().describe('The hash of that head; nothing where its sequence is 0.'),
})

export const AuditLogVerification = z
  .object({
    valid: z
      .boolean()
      .describe(
        'Whether every sealed entry is as it was written and none is missing, the held head included.',
      ),
    checkedCount: z.int().describe('How many sealed entries were checked.'),
    unsealedCount: z.int().describe('How many entries wait to be sealed.'),
    brokenSequence: z.int().nullable().describe('Where the chain breaks first; null where it does not.'),
    bareThrough: z
      .int()
      .describe('The last record of the time before hashes had a key; 0 where every record has one.'),
    removedThrough: z
      .int()
      .describe('The last record that was removed after its time; 0 where all are there.'),
    heldHead: z
      .enum(['contained', 'missing', 'removed'])
      .nullable()
      .describe(
        'Whether the chain contains the head that was asked about, or it is older than what is kept; null where none was, or the chain breaks before it.',
      ),
    rejectedCount: z
      .int()
      .describe('How many unsealed entries this service did not write: they are never sealed.'),
    rejectedIds: z.array(z.string()).describe('The ids of the first hundred of those.'),
    lateCount: z.int().describe('How many entries were sealed more than a minute after they were written.'),
    lateSequences: z.array(z.int()).describe('The places of the first hundred of those.'),
    unsignedCount: z
      .int()
      .describe(
        'How many entries were sealed without a signature, since an earlier version wrote them during an upgrade.',
      ),
    unsignedSequences: z.array(z.int()).describe('The places of the first hundred of those.'),
    detail: z.string().describe('What was found.'),
  })
  .meta({ id: 'AuditLogVerification', description: 'The outcome of checking the chain.' })

export type AuditLogRecord = z.output<typeof AuditLogRecord>
export type AuditLogListQuery = z.output<typeof AuditLogListQuery>
export type AuditLogExportQuery = z.output<typeof AuditLogExportQuery>
export type AuditLogChangeover = z.output<typeof AuditLogChangeover>
export type AuditLogHead = z.output<typeof AuditLogHead>
export type AuditLogVerifyQuery = z.output<typeof AuditLogVerifyQuery>
export type AuditLogVerification = z.output<typeof AuditLogVerification>
