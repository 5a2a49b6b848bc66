import type { ConversationListQuery, MessageListQuery, Page } from '@parley/contract'
import type { AgentRecord } from '../../ports/agent-stores.js'
import type { MessageRecord } from '../../ports/conversation-stores.js'
import type { Stores } from '../../ports/database.js'
import type { Clock } from '../../ports/time.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { invalidRequest, notFound } from '../domain-error.js'
import { type Addition, type Limits, oneMore } from '../limits/organization-limits.js'
import {
  listResources,
  newResource,
  readPage,
  readResource,
  removeResource,
  type TargetVersion,
} from '../resources/resource.js'

const type = 'Conversation'

export type Conversations = ReturnType<typeof makeConversations>

export function makeConversations({ clock }: { readonly clock: Clock }) {
  const kind = { type, clock, store: (stores: Stores) => stores.conversations }

  return {
    list: (scope: CallerScope, query: ConversationListQuery) =>
      listResources(kind, scope, {
        query,
        filter: { agentId: query.AgentId, search: query.Search, rehearsal: query.Rehearsal },
      }),

    read: (scope: CallerScope, id: string) => readResource(kind, scope, id),

    async listMessages(
      scope: CallerScope,
      id: string,
      query: MessageListQuery,
    ): Promise<Page<MessageRecord>> {
      const { organizationId } = await readResource(kind, scope, id)
      const { conversations } = scope.stores
      return readPage(query, (page) => conversations.listMessages(organizationId, id, page))
    },

    /** Deletes a conversation and its content. Ends its sessions, and cancels its waiting calls. */
    async remove(scope: CallerScope, target: TargetVersion): Promise<undefined> {
      const { stores, caller } = scope
      const { id } = await removeResource(kind, scope, target)
      await stores.conversations.removeMessages(id)
      const now = clock.now().toISOString()
      // Called before the deletion, so that events about ended calls and turns are still sent, but without
      // their texts.
      await stores.webhookDeliveries.forgetConversation(id, now)
      await stores.approvals.forgetConversation(id, now)
      await stores.turns.forgetConversation(id, now)
      await stores.files.takeFromConversation(id)
      await stores.realtimeSessions.requestEnd(caller.organizationId, { conversationId: id }, now)
      await recordChange(clock, scope, { action: 'conversation.delete', type, id })
    },
  }
}

interface WantedConversation {
  readonly agent: Pick<AgentRecord, 'id' | 'organizationId'>
  /** Null for a new conversation. */
  readonly conversationId: string | null
  /**
   * Whether the next messages are a rehearsal. All messages of a conversation are either a rehearsal or not.
   */
  readonly rehearsal: boolean
}

/**
 * Returns the caller's existing conversation with the agent, or a new one, and locks it. Throws if the limits
 * do not allow its messages. Messages of running sessions are not limited.
 */
export async function conversationFor(
  { clock, limits }: { readonly clock: Clock; readonly limits: Limits },
  scope: CallerScope,
  wanted: WantedConversation,
): Promise<string> {
  await limits.requireRoom(scope, conversationAdditions(wanted.conversationId))
  return conversationIn({ clock }, scope, wanted)
}

/** The resources that a request adds to a conversation, for the organization's limits. */
export function conversationAdditions(conversationId: string | null): readonly Addition[] {
  return [oneMore('messages'), ...(conversationId === null ? [oneMore('conversations')] : [])]
}

/** Like `conversationFor`, for callers that have already checked the limits. */
export async function conversationIn(
  { clock }: { readonly clock: Clock },
  { stores }: CallerScope,
  { agent, conversationId, rehearsal }: WantedConversation,
): Promise<string> {
  if (conversationId === null) {
    const resource = newResource(clock, agent.organizationId)
    const blank = { title: null, messageCount: 0, lastMessageAt: null, deletedAt: null }
    await stores.conversations.add({ ...resource, agentId: agent.id, rehearsal, ...blank })
    return resource.id
  }
  const conversation = await stores.conversations.find(agent.organizationId, conversationId)
  if (conversation === null) throw notFound('Conversation')
  // A concurrent deletion either came first, or comes later and finds the work that begins here.
  if (!(await stores.conversations.lock(conversation.id))) throw notFound('Conversation')
  if (conversation.agentId !== agent.id)
    throw invalidRequest([{ path: 'conversationId', message: 'must be a conversation of this agent' }])
  if (conversation.rehearsal !== rehearsal)
    throw invalidRequest([{ path: 'rehearsal', message: rehearsal ? noRehearsal : onlyRehearsal }])
  return conversation.id
}

const onlyRehearsal =
  'is required because the conversation is a rehearsal. Send its stubs, or omit conversationId'
const noRehearsal = 'must be omitted, because this conversation is not a rehearsal'
