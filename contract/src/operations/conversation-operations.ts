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
const params = z.strictObject({ conversationId: id().describe('The id of the conversation.') })

export const conversationOperations = {
  listConversations: defineOperation({
    operationId: 'listConversations',
    method: 'GET',
    path: '/api/v1/Conversation',
    tag,
    summary: 'List conversations',
    scope: 'conversation:read',
    query: ConversationListQuery,
    status: 200,
    answer: ConversationPage,
  }),
  getConversation: defineOperation({
    operationId: 'getConversation',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}',
    tag,
    summary: 'Read a conversation',
    scope: 'conversation:read',
    params,
    status: 200,
    answer: Conversation,
    hasETag: true,
  }),
  listMessages: defineOperation({
    operationId: 'listMessages',
    method: 'GET',
    path: '/api/v1/Conversation/{conversationId}/message',
    tag,
    summary: 'List the messages of a conversation',
    description: 'In the order they were said.',
    scope: 'conversation:read',
    params,
    query: MessageListQuery,
    status: 200,
    answer: MessagePage,
  }),
  deleteConversation: defineOperation({
    operationId: 'deleteConversation',
    method: 'DELETE',
    path: '/api/v1/Conversation/{conversationId}',
    tag,
    summary: 'Delete a conversation',
    description: 'With its messages; sessions that run on it end with 4005.',
    scope: 'conversation:write',
    params,
    status: 204,
    isConditional: true,
  }),
}
