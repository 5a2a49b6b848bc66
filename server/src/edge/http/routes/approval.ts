import { operations } from '@parley/contract'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerApprovalRoutes({ read, write }: Router, { approvals }: Services): void {
  read(operations.listApprovals, ({ caller, query }, stores) => approvals.list(stores, caller, query))
  write(operations.decideApproval, ({ caller, params, body }, stores) =>
    approvals.decide(stores, caller, params.conversationId, body),
  )
}
