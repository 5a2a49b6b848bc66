import { operations } from '@parley/contract'
import { exportAuditLog, listAuditLog } from '../../../domain/audit/audit-log.js'
import { verifyAuditLog } from '../../../domain/audit/verify.js'
import { exportStream } from '../answer/audit-export.js'
import type { Router } from '../operation-route.js'

export function registerAuditLogRoutes({ read, stream }: Router): void {
  read(operations.listAuditLog, ({ caller, query }, stores) => listAuditLog(stores, caller, query))
  read(operations.verifyAuditLog, ({ caller }, stores) => verifyAuditLog(stores, caller))
  stream(operations.exportAuditLog, ({ caller, query }, stores) =>
    exportStream(query.Format, exportAuditLog(stores, caller, query)),
  )
}
