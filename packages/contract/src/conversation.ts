import { z } from 'zod'
import { endUserFilter, withMetadataFilter } from './end-user.js'
import { id, resourceFields, text, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { rehearsalFilter } from './rehearsal.js'

export const Conversation = z
  .object({
    ...resourceFields,
    agentId: id().describe('The ID of the agent.'),
    title: z
      .string()
      .nullable()
      .describe(
        "The title, which is the beginning of the user's first message. `null` if there is none yet.",
      ),
    messageCount: z.int().describe('The number of messages in the conversation.'),
    lastMessageAt: timestamp()
      .nullable()
      .describe('When the last message was added (UTC). `null` if the conversation has no messages.'),
    endUserId: id().nullable().describe('The ID of the end user. `null` if the end user is anonymous.'),
    externalUserId: z
      .string()
      .nullable()
      .describe('Your own ID of the end user. `null` if the end user is anonymous.'),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe('Your own data, merged from the requests of the conversation.'),
    rehearsal: z
      .boolean()
      .describe('Whether the conversation is a rehearsal (test mode), in which stubs replace the tools.'),
  })
  .meta({ id: 'Conversation', description: 'A text or voice conversation between a user and an agent.' })

export const ConversationPage = pageOf(Conversation, 'Conversation')

export const ConversationListQuery = withMetadataFilter({
  ...pageQuery,
  ...endUserFilter('conversations'),
  AgentId: id().optional().describe('Only return conversations of this agent.'),
  Search: text(200)
    .optional()
    .describe(
      'Only return conversations whose title contains this text, or which have a user or agent message with all words of this text. The last word can be a prefix.',
    ),
  Rehearsal: rehearsalFilter('conversations'),
})

export const Message = z
  .object({
    id: resourceFields.id,
    conversationId: id().describe('The ID of the conversation.'),
    createdAt: resourceFields.createdAt,
    updatedAt: resourceFields.updatedAt,
    role: z.enum(['user', 'assistant', 'tool', 'subagent']).describe('The author of the message.'),
    content: z
      .string()
      .describe('The text of the message. For an interrupted voice answer, the part that the user heard.'),
    channel: z
      .enum(['text', 'realtime'])
      .describe('The channel of the message: a text turn (`text`) or a realtime session (`realtime`).'),
    originId: id()
      .nullable()
      .describe('The ID of the turn or realtime session of the message. `null` if it is no longer known.'),
    interrupted: z.boolean().describe('Whether the message was interrupted.'),
    failure: z
      .string()
      .nullable()
      .describe('Why the content is missing or incomplete. `null` if it is complete.'),
    callId: z
      .string()
      .nullable()
      .describe('The ID that the model assigned to the call. `null` if the message is not a tool call.'),
    name: z
      .string()
      .nullable()
      .describe('The name of the tool or sub-agent. `null` if the message is not a call.'),
    arguments: z
      .string()
      .nullable()
      .describe('The arguments of the tool call as a JSON string. `null` if the message is not a tool call.'),
    status: z
      .int()
      .nullable()
      .describe(
        'The status of the tool call: 0 (pending), 1 (success), 2 (failed) or 3 (pending approval). `null` if the message is not a tool call.',
      ),
    executionTimeSeconds: z
      .number()
      .nullable()
      .describe(
        'The duration of the tool call in seconds. `null` if it has not finished, or if the message is not a tool call.',
      ),
  })
  .meta({ id: 'Message', description: 'A message of a conversation.' })

export const MessagePage = z
  .object({
    items: z.array(Message).describe('The messages on this page, oldest first.'),
    totalCount: z.int().describe('The total number of messages on all pages.'),
    offset: z.int().describe('The `Offset` of this page.'),
    limit: z.int().describe('The `Limit` of this page.'),
  })
  .meta({ id: 'MessagePage', description: 'One page of the messages of a conversation, oldest first.' })

export const MessageListQuery = z.strictObject(pageQuery)

export type Conversation = z.output<typeof Conversation>
export type ConversationListQuery = z.output<typeof ConversationListQuery>
export type Message = z.output<typeof Message>
export type MessageListQuery = z.output<typeof MessageListQuery>
