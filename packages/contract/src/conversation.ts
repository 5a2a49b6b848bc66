import { z } from 'zod'
import { answeredMoment, id, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { rehearsalFilter } from './rehearsal.js'

export const Conversation = z
  .object({
    ...resourceFields,
    agentId: id().describe('The agent of the conversation.'),
    title: z.string().nullable().describe("The user's first words."),
    messageCount: z.int().describe('The number of messages.'),
    lastMessageAt: answeredMoment().nullable().describe('When the last message was added.'),
    rehearsal: z
      .boolean()
      .describe('Whether the conversation is a rehearsal, in which stubs replace the tools.'),
  })
  .meta({ id: 'Conversation', description: 'A spoken or typed conversation between a user and an agent.' })

export const ConversationPage = pageOf(Conversation, 'Conversation')

export const ConversationListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only conversations of this agent.'),
  Search: text(200)
    .optional()
    .describe(
      'Only conversations whose title contains this text, or that have a message of user or agent with all of its words. The last word may be a prefix.',
    ),
  Rehearsal: rehearsalFilter('conversations'),
})

export const Message = z
  .object({
    id: resourceFields.id,
    conversationId: id().describe('The conversation of the message.'),
    createdAt: resourceFields.createdAt,
    updatedAt: resourceFields.updatedAt,
    role: z.enum(['user', 'assistant', 'tool', 'subagent']).describe('Who wrote or spoke the message.'),
    content: z.string().describe('The text. For an interrupted answer, the part that was heard.'),
    channel: z.enum(['text', 'realtime']).describe('Whether the message was typed or spoken in a session.'),
    originId: id()
      .nullable()
      .describe('The turn or session that the message comes from. Null: not known any more.'),
    interrupted: z.boolean().describe('Whether the message was interrupted.'),
    failure: z.string().nullable().describe('Why the content is missing or incomplete, if it is.'),
    callId: z.string().nullable().describe("The provider's id of the tool call."),
    name: z.string().nullable().describe('The name of the tool or sub-agent.'),
    arguments: z.string().nullable().describe('The arguments of the tool call, JSON text.'),
    status: z.int().nullable().describe('0 pending, 1 success, 2 failed, 3 pending approval.'),
    executionTimeSeconds: z.number().nullable().describe('How long the tool ran.'),
  })
  .meta({ id: 'Message', description: 'One message of a conversation.' })

export const MessagePage = z
  .object({
    items: z.array(Message).describe('The messages of this page, in the order of the conversation.'),
    totalCount: z.int().describe('The number of messages on all pages.'),
    offset: z.int().describe('The Offset that was applied.'),
    limit: z.int().describe('The Limit that was applied.'),
  })
  .meta({ id: 'MessagePage', description: 'One page of the messages of a conversation.' })

export const MessageListQuery = z.strictObject(pageQuery)

export type Conversation = z.output<typeof Conversation>
export type ConversationListQuery = z.output<typeof ConversationListQuery>
export type Message = z.output<typeof Message>
export type MessageListQuery = z.output<typeof MessageListQuery>
