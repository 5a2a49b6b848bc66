import type { ConversationListQuery, MessageListQuery, Page } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { MessageRecord } from '../../ports/conversation-store.js'
import type { Stores } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import type { Caller } from '../caller.js'
import type { IfMatch } from '../resources/if-match.js'
import { listResources, readResource, removeResource } from '../resources/resource.js'

const kind = { type: 'Conversation', store: (stores: Stores) => stores.conversations } as const

export type Conversations = ReturnType<typeof makeConversations>

export function makeConversations({ clock }: { readonly clock: Clock }) {
  return {
    list: (stores: Stores, caller: Caller, query: ConversationListQuery) =>
      listResources(kind, stores, caller, { agentId: query.AgentId, search: query.Search }, query),

    read: (stores: Stores, caller: Caller, id: string) => readResource(kind, stores, caller, id),

    async listMessages(
      stores: Stores,
      caller: Caller,
      id: string,
      query: MessageListQuery,
    ): Promise<Page<MessageRecord>> {
      await readResource(kind, stores, caller, id)
      const page = { offset: query.Offset, limit: query.Limit }
      return { ...(await stores.conversations.listMessages(caller.organizationId, id, page)), ...page }
    },

    /** Removes a conversation with everything that was said in it; sessions that run on it are ended, calls that wait in it never run. */
    async remove(stores: Stores, caller: Caller, id: string, ifMatch: IfMatch): Promise<undefined> {
      await removeResource(kind, stores, clock, caller, id, ifMatch)
      await stores.conversations.removeMessages(id)
      const now = clock.now().toISOString()
      await stores.approvals.forgetConversation(id, now)
      await stores.turns.forgetConversation(id, now)
      await stores.files.takeFromConversation(id)
      await stores.realtimeSessions.requestEnd(caller.organizationId, { conversationId: id }, now)
      await recordChange(stores, clock, caller, { action: 'conversation.delete', type: kind.type, id })
    },
  }
}
