import {
  AuditLogExportQuery,
  AuditLogHead,
  AuditLogListQuery,
  AuditLogPage,
  AuditLogVerification,
  AuditLogVerifyQuery,
} from '../audit-log.js'
import { defineOperation } from '../operation.js'

const tag = 'AuditLog'

export const auditLogOperations = {
  listAuditLog: defineOperation({
    operationId: 'listAuditLog',
    method: 'GET',
    path: '/api/v1/AuditLog',
    tag,
    summary: 'List audit records',
    scope: 'audit:read',
    query: AuditLogListQuery,
    outcome: 'One page of the records.',
    status: 200,
    answer: AuditLogPage,
  }),
  exportAuditLog: defineOperation({
    operationId: 'exportAuditLog',
    method: 'GET',
    path: '/api/v1/AuditLog/export',
    tag,
    summary: 'Export audit records',
    description: 'Streams every matching record, oldest first.',
    scope: 'audit:read',
    query: AuditLogExportQuery,
    outcome: 'The records, streamed as they are read.',
    status: 200,
    streamed: ['application/x-ndjson', 'text/csv'],
  }),
  readAuditLogHead: defineOperation({
    operationId: 'readAuditLogHead',
    method: 'GET',
    path: '/api/v1/AuditLog/head',
    tag,
    summary: 'Read the head of the audit log',
    description:
      'The end of the chain. Keep it outside of the service. `verify` checks later whether the chain still contains it.',
    scope: 'audit:read',
    outcome: 'The current head of the chain.',
    status: 200,
    answer: AuditLogHead,
  }),
  verifyAuditLog: defineOperation({
    operationId: 'verifyAuditLog',
    method: 'GET',
    path: '/api/v1/AuditLog/verify',
    tag,
    summary: 'Verify the audit log',
    description:
      'Recomputes the chain of hashes. The result says whether a record was changed or removed, and whether the chain still contains a given head.',
    scope: 'audit:read',
    query: AuditLogVerifyQuery,
    outcome: 'The result.',
    status: 200,
    answer: AuditLogVerification,
  }),
}
