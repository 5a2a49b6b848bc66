import { z } from 'zod'
import { id, timestamp } from './field.js'

/** The number of days after which conversations are removed. */
export const retentionDays = () => z.int().min(1).max(36_500)

const conversationRetentionDays = retentionDays().nullable()

export const ConversationRetention = z
  .object({
    conversationRetentionDays: conversationRetentionDays.describe(
      'Conversations are removed this many days after their last activity. An agent can have its own value. `null` if conversations are kept.',
    ),
  })
  .meta({
    id: 'ConversationRetention',
    description: 'How long the organization keeps conversations.',
    examples: [{ conversationRetentionDays: 365 }],
  })

export const ConversationRetentionPatch = z
  .strictObject({
    conversationRetentionDays: conversationRetentionDays
      .optional()
      .describe('The number of days, or `null` to keep conversations.'),
  })
  .meta({
    id: 'ConversationRetentionPatch',
    description: 'A merge patch of the retention of conversations.',
    examples: [{ conversationRetentionDays: 365 }],
  })

export const ConversationRetentionPreviewQuery = z.strictObject({
  Days: z
    .string()
    .regex(/^\d{1,5}$/, { error: 'must be a whole number' })
    .transform(Number)
    .pipe(retentionDays())
    .optional()
    .describe(
      'Counts with this number of days instead of the stored one of the organization, or of the agent if `AgentId` is set.',
    ),
  AgentId: id().optional().describe('Only counts conversations of this agent.'),
})

export const ConversationRetentionPreview = z
  .object({
    conversations: z.int().describe('The number of conversations that would be removed now.'),
    messages: z.int().describe('The number of their messages.'),
    oldestActivityAt: timestamp()
      .nullable()
      .describe('The oldest last activity of these conversations (UTC). `null` if there are none.'),
  })
  .meta({
    id: 'ConversationRetentionPreview',
    description: 'A dry run of the retention of conversations. Nothing is removed.',
  })

export type ConversationRetention = z.output<typeof ConversationRetention>
export type ConversationRetentionPatch = z.output<typeof ConversationRetentionPatch>
export type ConversationRetentionPreview = z.output<typeof ConversationRetentionPreview>
export type ConversationRetentionPreviewQuery = z.output<typeof ConversationRetentionPreviewQuery>
