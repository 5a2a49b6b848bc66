import { ToolStatus } from '@parley/contract'
import type { ApprovalRecord } from '../../ports/approval-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Database } from '../../ports/database.js'
import type { RealtimeSessionRecord } from '../../ports/realtime-session-store.js'
import { approvalTexts } from '../tools/tool-call.js'

/**
 * Takes over what former sessions of the conversation left waiting. What a sub-agent had asked for is closed: its turn
 * is over, and nobody would read the output.
 */
export async function adoptCalls(
  database: Database,
  clock: Clock,
  session: RealtimeSessionRecord,
): Promise<readonly ApprovalRecord[]> {
  const at = clock.now().toISOString()
  return database.transaction(async (stores) => {
    await stores.approvals.expireDue(at)
    const adopted = await stores.approvals.adopt(session.conversationId, session.id, at)
    const fields = { status: ToolStatus.Failed, content: approvalTexts.expired }
    for (const { id, messageId, agentId, claimedBy } of adopted) {
      if (agentId === session.agentId || claimedBy !== null) continue
      await stores.approvals.withdraw(id, at)
      await stores.conversations.updateToolMessage(messageId, fields, at)
      await stores.approvals.finish(id, at)
    }
    return adopted.filter(({ agentId }) => agentId === session.agentId)
  })
}
