import {
  ConversationRetention,
  ConversationRetentionPatch,
  ConversationRetentionPreview,
  ConversationRetentionPreviewQuery,
} from '../conversation-retention.js'
import { defineOperation } from '../operation.js'

const tag = 'ConversationRetention'

export const conversationRetentionOperations = {
  getConversationRetention: defineOperation({
    operationId: 'getConversationRetention',
    method: 'GET',
    path: '/api/v1/ConversationRetention',
    tag,
    summary: 'Retrieve the retention of conversations',
    scope: 'conversation:read',
    outcome: 'The retention of conversations.',
    status: 200,
    response: ConversationRetention,
  }),
  patchConversationRetention: defineOperation({
    operationId: 'patchConversationRetention',
    method: 'PATCH',
    path: '/api/v1/ConversationRetention',
    tag,
    summary: 'Update the retention of conversations',
    description:
      'Conversations whose last activity is older are removed within minutes, with everything that belongs to them. Conversations with running sessions, turns or tasks are kept until these have ended.',
    scope: 'org:manage',
    body: ConversationRetentionPatch,
    outcome: 'The updated retention of conversations.',
    status: 200,
    response: ConversationRetention,
  }),
  previewConversationRetention: defineOperation({
    operationId: 'previewConversationRetention',
    method: 'GET',
    path: '/api/v1/ConversationRetention/preview',
    tag,
    summary: 'Preview the retention of conversations',
    description: 'Counts the conversations that a retention would remove now. Nothing is removed.',
    scope: 'conversation:read',
    query: ConversationRetentionPreviewQuery,
    outcome: 'The counts of conversations and messages.',
    status: 200,
    response: ConversationRetentionPreview,
  }),
}
