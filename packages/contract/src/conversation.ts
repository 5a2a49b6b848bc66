import { z } from 'zod'
import { answeredMoment, id, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { rehearsalFilter } from './rehearsal.js'

export const Conversation = z
  .object({
    ...resourceFields,
    agentId: id().describe('The agent it belongs to.'),
    title: z.string().nullable().describe('The first words of the user.'),
    messageCount: z.int().describe('How many messages it has.'),
    lastMessageAt: answeredMoment().nullable().describe('When the last message was added.'),
    rehearsal: z.boolean().describe('Whether it is a rehearsal: its tools were stubs.'),
  })
  .meta({ id: 'Conversation', description: 'What was said between a user and an agent, spoken or typed.' })

export const ConversationPage = pageOf(Conversation, 'Conversation')

export const ConversationListQuery = z.strictObject({
  ...pageQuery,
  AgentId: id().optional().describe('Only conversations of this agent.'),
  Search: text(200)
    .optional()
    .describe(
      'Only conversations whose title holds this text, or in which the user or the agent has said all of its words in one message; the last word may be the beginning of one.',
    ),
  Rehearsal: rehearsalFilter('conversations'),
})

export const Message = z
  .object({
    id: resourceFields.id,
    conversationId: id().describe('The conversation it belongs to.'),
    createdAt: resourceFields.createdAt,
    updatedAt: resourceFields.updatedAt,
    role: z.enum(['user', 'assistant', 'tool', 'subagent']).describe('Whose message it is.'),
    content: z.string().describe('The words; what was heard of them where it was interrupted.'),
    channel: z.enum(['text', 'realtime']).describe('Whether it was typed or spoken in a session.'),
    originId: id()
      .nullable()
      .describe('The turn that it came out of, or the session; null where that is not known any more.'),
    interrupted: z.boolean().describe('Whether it was cut off.'),
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
    items: z.array(Message).describe('The messages of this page, in the order they were said.'),
    totalCount: z.int().describe('How many messages there are on all pages.'),
    offset: z.int().describe('The Offset that was used.'),
    limit: z.int().describe('The Limit that was used.'),
  })
  .meta({ id: 'MessagePage', description: 'One page of the messages of a conversation.' })

export const MessageListQuery = z.strictObject(pageQuery)

export type Conversation = z.output<typeof Conversation>
export type ConversationListQuery = z.output<typeof ConversationListQuery>
export type Message = z.output<typeof Message>
export type MessageListQuery = z.output<typeof MessageListQuery>
