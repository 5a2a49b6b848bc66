import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { Cost } from './cost.js'
import { answeredMoment, id, nonBlankText, text } from './field.js'
import { rehearsalField } from './rehearsal.js'

export const QuestionInput = z
  .strictObject({
    question: nonBlankText(100_000).describe('What the user asks.'),
    conversationId: id()
      .nullable()
      .default(null)
      .describe('Existing conversation id; omitted or null creates a new conversation for the agent.'),
    fileIds: z
      .array(id())
      .max(20)
      .default([])
      .describe(
        'Temporary files that the question is about; later questions of the conversation know them too.',
      ),
    additionalInstructions: text(100_000)
      .nullable()
      .default(null)
      .describe('Extra instructions appended after the agent system message for this question.'),
    rehearsal: rehearsalField,
  })
  .meta({
    id: 'QuestionInput',
    description: 'A question to an agent.',
    examples: [{ question: 'What time is it?' }],
  })

export const TurnStatus = z
  .enum(['queued', 'running', 'waiting_for_approval', 'completed', 'failed', 'stopped'])
  .describe('How far the answer is.')

export const ToolInvocation = z
  .object({
    id: id().describe('The id of the stored tool message.'),
    callId: z.string().nullable().describe("The model's id of the call."),
    name: z.string().nullable().describe('The name of the tool or sub-agent.'),
    arguments: z.string().nullable().describe('The arguments, JSON text. What runs has exactly these.'),
    content: z.string().describe('What came of it.'),
    status: z.int().nullable().describe('0 pending, 1 success, 2 failed, 3 pending approval.'),
    executionTimeSeconds: z.number().nullable().describe('How long the tool ran.'),
  })
  .meta({ id: 'ToolInvocation', description: 'A tool that was called for an answer.' })

export const WaitingApproval = z
  .object({
    callId: z.string().describe("The model's id of the call, to decide on it."),
    messageId: id().describe('The id of the stored tool message.'),
    tool: z.string().describe('The name of the tool.'),
    arguments: z.string().describe('What it would be called with, JSON text.'),
    approvedBy: approvedBy('Who may decide on it.'),
    deadline: answeredMoment().describe('Until when it can be decided (UTC).'),
  })
  .meta({ id: 'WaitingApproval', description: 'A call that waits for a person.' })

export const QuestionAnswer = z
  .object({
    conversationId: id().describe('The conversation; give it with the next question to go on.'),
    turnId: id().describe('The turn, to follow it or to stop it.'),
    messageId: id().nullable().describe('The id of the stored answer; null while there is none.'),
    answer: z.string().nullable().describe('The answer, or what there is of it; null while there is none.'),
    status: TurnStatus,
    failure: z.string().nullable().describe('Why there is no answer, or not all of it.'),
    toolInvocations: z.array(ToolInvocation).describe('The tools that were called, in order.'),
    approvals: z.array(WaitingApproval).describe('Calls that wait for a person.'),
    usage: z
      .object({
        inputTokens: z.int().describe('Tokens that the model read.'),
        outputTokens: z.int().describe('Tokens that the model wrote.'),
        cachedInputTokens: z.int().describe('Those of inputTokens that came from a cache.'),
      })
      .describe('What the answer took so far.'),
    cost: Cost.describe('What the answer cost so far, its sub-agents included.'),
  })
  .meta({ id: 'QuestionAnswer', description: 'A question to an agent and how far its answer is.' })

export type QuestionInput = z.output<typeof QuestionInput>
export type TurnStatus = z.output<typeof TurnStatus>
export type QuestionAnswer = z.output<typeof QuestionAnswer>
