import { operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerApprovalRoutes({ act, write }: Router, { approvals }: Services): void {
  // More than reading: what is due expires first, each row by itself.
  act(operations.listApprovals, ({ query }, scope) => approvals.list(scope, query))
  write(operations.decideApproval, ({ params, body }, scope) =>
    approvals.decide(scope, params.conversationId, body),
  )
}
