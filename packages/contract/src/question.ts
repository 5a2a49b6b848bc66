import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { Cost } from './cost.js'
import { answeredMoment, id, nonBlankText, text } from './field.js'
import { rehearsalField } from './rehearsal.js'

export const QuestionInput = z
  .strictObject({
    question: nonBlankText(100_000).describe("The user's question."),
    conversationId: id()
      .nullable()
      .default(null)
      .describe('Existing conversation id; omitted or null creates a new conversation for the agent.'),
    fileIds: z
      .array(id())
      .max(20)
      .default([])
      .describe('Temporary files for the question. Later questions of the conversation can use them too.'),
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
  .describe('The state of the answer.')

export const ToolInvocation = z
  .object({
    id: id().describe('The id of the stored tool message.'),
    callId: z.string().nullable().describe("The model's id of the call."),
    name: z.string().nullable().describe('The name of the tool or sub-agent.'),
    arguments: z
      .string()
      .nullable()
      .describe('The arguments as JSON text. The call runs with exactly these.'),
    content: z.string().describe('The result of the call.'),
    status: z.int().nullable().describe('0 pending, 1 success, 2 failed, 3 pending approval.'),
    executionTimeSeconds: z.number().nullable().describe('How long the tool ran.'),
  })
  .meta({ id: 'ToolInvocation', description: 'A tool call of an answer.' })

export const WaitingApproval = z
  .object({
    callId: z.string().describe("The model's id of the call. A decision refers to it."),
    messageId: id().describe('The id of the stored tool message.'),
    tool: z.string().describe('The name of the tool.'),
    arguments: z.string().describe('The arguments as JSON text.'),
    approvedBy: approvedBy('Who may decide on it.'),
    deadline: answeredMoment().describe('The deadline of the decision (UTC).'),
  })
  .meta({ id: 'WaitingApproval', description: 'A call that waits for approval.' })

export const QuestionAnswer = z
  .object({
    conversationId: id().describe('The conversation. Send it with the next question to continue.'),
    turnId: id().describe('The id of the turn, to follow or stop it.'),
    messageId: id().nullable().describe('The id of the stored answer. Null: not stored yet.'),
    answer: z.string().nullable().describe('The answer so far. Null: none yet.'),
    status: TurnStatus,
    failure: z.string().nullable().describe('Why the answer is missing or incomplete.'),
    toolInvocations: z.array(ToolInvocation).describe('The tool calls, in order.'),
    approvals: z.array(WaitingApproval).describe('Calls that wait for approval.'),
    usage: z
      .object({
        inputTokens: z.int().describe('Input tokens.'),
        outputTokens: z.int().describe('Output tokens.'),
        cachedInputTokens: z.int().describe('Input tokens read from a cache.'),
      })
      .describe('The token usage so far.'),
    cost: Cost.describe('The cost so far, including sub-agents.'),
  })
  .meta({ id: 'QuestionAnswer', description: 'A question to an agent and the state of its answer.' })

export type QuestionInput = z.output<typeof QuestionInput>
export type TurnStatus = z.output<typeof TurnStatus>
export type QuestionAnswer = z.output<typeof QuestionAnswer>
