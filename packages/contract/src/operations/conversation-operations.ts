import { z } from 'zod'
import {
  Conversation,
  ConversationListQuery,
  ConversationPage,
  MessageListQuery,
  MessagePage,
} from '../conversation.js'
import { id } from '../field.js'
import { defineOperation } from '../operation.js'

const tag = 'Conversation'
const params = z.strictObject({ conversationId: id().describe('The ID of the conversation.') })

export const conversationOperations = {
  listConversations: defineOperation({
    operationId: 'listConversations',
    method: 'GET',
    path: '/api/v1/Conversation',
    tag,
    summary: 'List conversations',
    scope: 'conversation:read',
    query: ConversationListQuery,
    outcome: 'One page of the conversations.',
    status: 200,
    response: ConversationPage,
  }),
  getConversation: defineOperation({
    operationId: 'getConversation',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}',
    tag,
    summary: 'Retrieve a conversation',
    scope: 'conversation:read',
    params,
    outcome: 'The conversation, without its messages.',
    status: 200,
    response: Conversation,
    hasETag: true,
  }),
  listMessages: defineOperation({
    operationId: 'listMessages',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}/message',
    tag,
    summary: 'List the messages of a conversation',
    description: 'Returns the messages in chronological order.',
    scope: 'conversation:read',
    params,
    query: MessageListQuery,
    outcome: 'One page of the messages.',
    status: 200,
    response: MessagePage,
  }),
  deleteConversation: defineOperation({
    operationId: 'deleteConversation',
    method: 'DELETE',
    path: '/api/v1/Conversation/{conversationId}',
    tag,
    summary: 'Delete a conversation',
    description:
      'Also deletes the messages of the conversation. Its active realtime sessions are closed with 4005.',
    scope: 'conversation:write',
    params,
    outcome: 'The conversation was deleted. The response has no body.',
    status: 204,
    isConditional: true,
  }),
}
