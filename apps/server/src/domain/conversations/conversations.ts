import type { ConversationListQuery, MessageListQuery, Page } from '@parley/contract'
import type { Clock } from '../../ports/clock.js'
import type { MessageRecord } from '../../ports/conversation-store.js'
import type { Stores } from '../../ports/database.js'
import { recordChange } from '../audit/record-change.js'
import type { CallerScope } from '../caller-scope.js'
import { readPage } from '../resources/page.js'
import { listResources, type MeantVersion, readResource, removeResource } from '../resources/resource.js'

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

    /**
     * Removes a conversation with everything that was said in it; sessions that run on it are ended, calls that wait in
     * it never run.
     */
    async remove(scope: CallerScope, meant: MeantVersion): Promise<undefined> {
      const { stores, caller } = scope
      const { id } = await removeResource(kind, scope, meant)
      await stores.conversations.removeMessages(id)
      const now = clock.now().toISOString()
      // Before what follows: that calls and turns are over is told, without their words.
      await stores.webhookDeliveries.forgetConversation(id, now)
      await stores.approvals.forgetConversation(id, now)
      await stores.turns.forgetConversation(id, now)
      await stores.files.takeFromConversation(id)
      await stores.realtimeSessions.requestEnd(caller.organizationId, { conversationId: id }, now)
      await recordChange(clock, scope, { action: 'conversation.delete', type, id })
    },
  }
}
