import { setTimeout as sleep } from 'node:timers/promises'
import type { Approval } from '@parley/contract'
import { decideOverHttp } from './decisions.js'
import { callHttp, jsonOf } from './http-call.js'
import type { LoadStage } from './load-stage.js'
import type { Tenant } from './tenant.js'

const pollMilliseconds = 1000

/**
 * A clerk who decides on calls outside of sessions. Approves charges at random, and rejects repetitions of
 * calls with an unknown outcome.
 */
export async function decideOn(stage: LoadStage, tenant: Tenant, isOpen: () => boolean): Promise<void> {
  const { url, ledger } = stage
  while (isOpen()) {
    const path = `/api/v1/Approval?State=waiting&AgentId=${tenant.textAgentId}&Limit=200`
    const answer = await callHttp({ url, credentials: tenant.credentials }, { method: 'GET', path })
    const body = ledger.note('the list of approvals', answer, [200])
    const waiting = body === null ? [] : jsonOf<{ items: Approval[] }>(body).items
    for (const { callId, conversationId, tool } of waiting) {
      const decision = tool === 'charge' && stage.random() < 0.7 ? 'approve' : 'reject'
      const entry: LoadStage['ledger']['decisions'][number] = {
        tenant: tenant.index,
        conversationId,
        callId,
        decision,
        by: 'http',
        acknowledgedAt: null,
        deadlineAt: null,
        rejectedAt: null,
      }
      ledger.decisions.push(entry)
      await decideOverHttp(stage, tenant, entry)
    }
    await sleep(pollMilliseconds)
  }
}
