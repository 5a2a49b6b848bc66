import { operations } from '@parley/contract'
import { exportAuditLog, listAuditLog } from '../../../domain/audit/audit-log.js'
import { readHead } from '../../../domain/audit/chain-head.js'
import { heldHeadOf } from '../../../domain/audit/held-head.js'
import { VerificationTurns } from '../../../domain/audit/verification-turns.js'
import { verifyAuditLog } from '../../../domain/audit/verify.js'
import { DomainError } from '../../../domain/domain-error.js'
import { exportStream } from '../answer/audit-export.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerAuditLogRoutes({ read, act, stream }: Router, services: Services): void {
  const turns = new VerificationTurns()
  read(operations.listAuditLog, ({ query }, scope) => listAuditLog(scope, query))
  read(operations.readAuditLogHead, (_call, scope) => readHead(scope))
  // A long chain takes a while: each page takes its turn, so that other calls of the organization need not wait.
  act(operations.verifyAuditLog, async ({ query }, scope) => {
    const held = heldHeadOf(query)
    const found = await turns.run(scope.caller.organizationId, () => verifyAuditLog(services, scope, held))
    // A newer version may seal in a way that this one does not know: that is no forgery.
    if (!found.valid && (await services.database.hasNewerSchema()))
      throw new DomainError(
        'Unavailable',
        'A newer version of Parley has changed the database, so this instance cannot judge the audit log. Ask an instance of that version.',
      )
    return found
  })
  stream(operations.exportAuditLog, ({ query }, scope) =>
    exportStream(query.Format, exportAuditLog(scope, query)),
  )
}
