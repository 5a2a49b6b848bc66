import { operations } from '@parley/contract'
import type { Router } from '../operation-route.js'
import type { Services } from '../services.js'

export function registerConversationRoutes({ read, write }: Router, { conversations }: Services): void {
  read(operations.listConversations, ({ query }, scope) => conversations.list(scope, query))
  read(operations.getConversation, ({ params }, scope) => conversations.read(scope, params.conversationId))
  read(operations.listMessages, ({ params, query }, scope) =>
    conversations.listMessages(scope, params.conversationId, query),
  )
  write(operations.deleteConversation, ({ params, ifMatch }, scope) =>
    conversations.remove(scope, { id: params.conversationId, ifMatch }),
  )
}
