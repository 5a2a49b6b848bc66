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
    outcome: 'One page of the audit records.',
    status: 200,
    response: AuditLogPage,
  }),
  exportAuditLog: defineOperation({
    operationId: 'exportAuditLog',
    method: 'GET',
    path: '/api/v1/AuditLog/export',
    tag,
    summary: 'Export audit records',
    description: 'Streams all matching records, oldest first.',
    scope: 'audit:read',
    query: AuditLogExportQuery,
    outcome: 'The audit records as a stream.',
    status: 200,
    streamed: ['application/x-ndjson', 'text/csv'],
  }),
  readAuditLogHead: defineOperation({
    operationId: 'readAuditLogHead',
    method: 'GET',
    path: '/api/v1/AuditLog/head',
    tag,
    summary: 'Retrieve the head of the audit log',
    description:
      'Returns the end of the hash chain. Store it outside of the service, so that you can verify later that the chain still contains it.',
    scope: 'audit:read',
    outcome: 'The current head of the hash chain.',
    status: 200,
    response: AuditLogHead,
  }),
  verifyAuditLog: defineOperation({
    operationId: 'verifyAuditLog',
    method: 'GET',
    path: '/api/v1/AuditLog/verify',
    tag,
    summary: 'Verify the audit log',
    description:
      'Recomputes the hash chain. The result states whether records were changed or removed, and whether the chain still contains a given head.',
    scope: 'audit:read',
    query: AuditLogVerifyQuery,
    outcome: 'The result of the verification.',
    status: 200,
    response: AuditLogVerification,
  }),
}
