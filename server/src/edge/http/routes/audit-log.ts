import { operations } from '@parley/contract'
import { exportAuditLog, listAuditLog } from '../../../domain/audit/audit-log.js'
import { verifyAuditLog } from '../../../domain/audit/verify.js'
import { exportStream } from '../answer/audit-export.js'
import type { Router } from '../operation-route.js'

export function registerAuditLogRoutes({ read, stream }: Router): void {
  read(operations.listAuditLog, ({ query }, scope) => listAuditLog(scope, query))
  read(operations.verifyAuditLog, (_call, scope) => verifyAuditLog(scope))
  stream(operations.exportAuditLog, ({ query }, scope) =>
    exportStream(query.Format, exportAuditLog(scope, query)),
  )
}
