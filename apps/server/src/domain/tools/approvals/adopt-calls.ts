import { ToolStatus } from '@parley/contract'
import type { ApprovalRecord } from '../../../ports/approval-store.js'
import type { Clock } from '../../../ports/clock.js'
import type { OwnedDatabase } from '../../../ports/database.js'
import type { RealtimeSessionRecord } from '../../../ports/realtime-session-store.js'
import { approvalTexts } from './approval-outcome.js'

/**
 * Takes over what waits for former sessions of the conversation, also for one that still counts as running: its client
 * may have lost the network and be the one that begins this session. What a sub-agent of a session that is over had
 * asked for is closed: its turn is over as well, and nobody would read the output.
 */
export async function adoptCalls(
  database: OwnedDatabase,
  clock: Clock,
  session: RealtimeSessionRecord,
): Promise<readonly ApprovalRecord[]> {
  const at = clock.now().toISOString()
  const { approvals } = database.stores
  await approvals.expireDue(at)
  const adopted = await approvals.adopt(session, at)
  const fields = { status: ToolStatus.Failed, content: approvalTexts.expired }
  for (const { id, messageId, agentId, claimedBy } of adopted) {
    if (agentId === session.agentId || claimedBy !== null) continue
    // The message before the approval, as everywhere: those who close the same call wait, and do not block each other.
    await database.transaction(async (stores) => {
      await stores.conversations.updateToolMessage(messageId, fields, at)
      await stores.approvals.withdraw(id, session.id, at)
      await stores.approvals.finish(id, at)
    })
  }
  return adopted.filter(({ agentId }) => agentId === session.agentId)
}
