import type { Stores } from '#server/ports/database.js'
import type { ApprovalRecord } from '#server/ports/task-stores.js'
import { makeAgent, makeApproval, makeConversation, makeMessage } from './stores/records.js'

/** Inserts a waiting approval of a call, with a new conversation, directly into the database. */
export async function addWaitingApproval(
  stores: Stores,
  organizationId: string,
  fields: Partial<ApprovalRecord> = {},
): Promise<ApprovalRecord> {
  const agent = makeAgent(organizationId, { subAgentIds: [] })
  const conversation = makeConversation(organizationId, agent.id)
  const deadline = new Date(Date.now() + 60 * 60 * 1000).toISOString()
  const approval = makeApproval(conversation, { deadline, ...fields })
  await stores.agents.insert(agent)
  await stores.conversations.insert(conversation)
  const { messageId, callId, tool, arguments: given } = approval
  await stores.conversations.addMessage(
    makeMessage(conversation, {
      ...{ id: messageId, role: 'tool', content: '', callId, name: tool, arguments: given, originId: null },
      ...{ status: 3, executionTimeSeconds: null },
    }),
  )
  await stores.approvals.insert(approval)
  return approval
}
