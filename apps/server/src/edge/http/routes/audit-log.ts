import { operations } from '@parley/contract'
import { FairQueue } from '../../../concurrency/fair-queue.js'
import { exportAuditLog, listAuditLog } from '../../../domain/audit/audit-log.js'
import { readHead } from '../../../domain/audit/chain-head.js'
import { heldHeadOf } from '../../../domain/audit/held-head.js'
import { verifyAuditLog } from '../../../domain/audit/verify.js'
import { DomainError } from '../../../domain/domain-error.js'
import { exportStream } from '../answer/audit-export.js'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

/** Each verification walks a chain that may be long: one organization has one at a time. */
const verificationSlots = { atOncePerOwner: 1, maxWaitingPerOwner: 49 } as const
const retryAfterSeconds = 10

export function registerAuditLogRoutes({ read, act, stream }: Router, services: Services): void {
  const verifications = new FairQueue(services.questions.timers, verificationSlots)
  read(operations.listAuditLog, ({ query }, scope) => listAuditLog(scope, query))
  read(operations.readAuditLogHead, (_call, scope) => readHead(scope))
  // Each page of a long chain waits for its own slot at the database, so it does not delay other calls.
  act(operations.verifyAuditLog, async ({ query }, scope) => {
    const held = heldHeadOf(query)
    const { organizationId } = scope.caller
    const verified = await verifications.run(organizationId, () => verifyAuditLog(services, scope, held))
    if (!verified.ok)
      throw new DomainError(
        'RateLimited',
        '50 verifications of this audit log wait already: wait for their answers.',
        { retryAfterSeconds },
      )
    const found = verified.value
    // A newer version may seal in a way that this version does not know, which is not a forgery.
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
