import { z } from 'zod'
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
    hash: z.string().nullable().describe('SHA-256 over the previous hash and this record, in hex.'),
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

export const AuditLogVerification = z
  .object({
    valid: z.boolean().describe('Whether every sealed entry is as it was written and none is missing.'),
    checkedCount: z.int().describe('How many sealed entries were checked.'),
    unsealedCount: z.int().describe('How many entries wait to be sealed.'),
    brokenSequence: z.int().nullable().describe('Where the chain breaks first; null where it does not.'),
    detail: z.string().describe('What was found.'),
  })
  .meta({ id: 'AuditLogVerification', description: 'The outcome of checking the chain.' })

export type AuditLogRecord = z.output<typeof AuditLogRecord>
export type AuditLogListQuery = z.output<typeof AuditLogListQuery>
export type AuditLogExportQuery = z.output<typeof AuditLogExportQuery>
export type AuditLogVerification = z.output<typeof AuditLogVerification>
