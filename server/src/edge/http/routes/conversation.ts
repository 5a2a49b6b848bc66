import { operations } from '@parley/contract'
import type { Services } from '../context.js'
import type { Router } from '../operation-route.js'

export function registerConversationRoutes({ read, write }: Router, { conversations }: Services): void {
  read(operations.listConversations, ({ caller, query }, stores) => conversations.list(stores, caller, query))
  read(operations.getConversation, ({ caller, params }, stores) =>
    conversations.read(stores, caller, params.conversationId),
  )
  read(operations.listMessages, ({ caller, params, query }, stores) =>
    conversations.listMessages(stores, caller, params.conversationId, query),
  )
  write(operations.deleteConversation, ({ caller, params, ifMatch }, stores) =>
    conversations.remove(stores, caller, params.conversationId, ifMatch),
  )
}
