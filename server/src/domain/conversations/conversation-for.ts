import type { AgentRecord } from '../../ports/agent-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import { invalidRequest, notFound } from '../domain-error.js'
import { newResource } from '../resources/new-resource.js'

/** The conversation that a caller wants to go on with, which must be the agent's, or a new one. It is locked. */
export async function conversationFor(
  clock: Clock,
  stores: Stores,
  {
    agent,
    conversationId,
  }: {
    readonly agent: Pick<AgentRecord, 'id' | 'organizationId'>
    readonly conversationId: string | null
  },
): Promise<string> {
  if (conversationId === null) {
    const resource = newResource(clock, agent.organizationId)
    const blank = { agentId: agent.id, title: null, messageCount: 0, lastMessageAt: null, deletedAt: null }
    await stores.conversations.insert({ ...resource, ...blank })
    return resource.id
  }
  const conversation = await stores.conversations.find(agent.organizationId, conversationId)
  if (conversation === null) throw notFound('Conversation')
  // Whoever deletes it was faster, or comes later and finds what begins here.
  if (!(await stores.conversations.lock(conversation.id))) throw notFound('Conversation')
  if (conversation.agentId !== agent.id)
    throw invalidRequest([{ path: 'conversationId', message: 'names a conversation of another agent' }])
  return conversation.id
}
