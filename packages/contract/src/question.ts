import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { Cost } from './cost.js'
import { endUserFields } from './end-user.js'
import { id, nonBlankText, text, timestamp } from './field.js'
import { rehearsalField } from './rehearsal.js'
import { outputField, responseSchemaField } from './response-schema.js'

export const QuestionInput = z
  .strictObject({
    question: nonBlankText(100_000).describe("The user's question."),
    conversationId: id()
      .nullable()
      .default(null)
      .describe(
        'The ID of an existing conversation of the agent. If omitted or `null`, a new conversation is created.',
      ),
    fileIds: z
      .array(id())
      .max(20)
      .default([])
      .describe(
        'The IDs of temporary files to use as context. Later questions in the conversation can use them as well.',
      ),
    additionalInstructions: text(100_000)
      .nullable()
      .default(null)
      .describe(
        'Additional instructions for this question. They are appended to the system message of the agent.',
      ),
    responseSchema: responseSchemaField,
    ...endUserFields,
    rehearsal: rehearsalField,
  })
  .meta({
    id: 'QuestionInput',
    description: 'The parameters for asking an agent a question.',
    examples: [{ question: 'What time is it?' }],
  })

export const TurnStatus = z
  .enum(['queued', 'running', 'waiting_for_approval', 'completed', 'failed', 'stopped'])
  .describe('The status of the turn.')

export const ToolInvocation = z
  .object({
    id: id().describe('The ID of the stored tool message.'),
    callId: z
      .string()
      .nullable()
      .describe('The ID that the model assigned to the call. `null` if it is unknown.'),
    name: z.string().nullable().describe('The name of the tool or sub-agent. `null` if it is unknown.'),
    arguments: z
      .string()
      .nullable()
      .describe(
        'The arguments as a JSON string. The tool is called with exactly these arguments. `null` if they are unknown.',
      ),
    content: z.string().describe('The result of the call.'),
    status: z
      .int()
      .nullable()
      .describe(
        'The status of the call: 0 (pending), 1 (success), 2 (failed) or 3 (pending approval). `null` if it is unknown.',
      ),
    executionTimeSeconds: z
      .number()
      .nullable()
      .describe('The duration of the call in seconds. `null` if the tool has not finished.'),
  })
  .meta({ id: 'ToolInvocation', description: 'A tool call that the agent made while answering.' })

export const WaitingApproval = z
  .object({
    callId: z.string().describe('The ID that the model assigned to the call. Send it with the decision.'),
    messageId: id().describe('The ID of the stored tool message.'),
    tool: z.string().describe('The name of the tool.'),
    arguments: z.string().describe('The arguments as a JSON string.'),
    approvedBy: approvedBy('Who can approve or reject the call.'),
    deadline: timestamp().describe('When the approval expires (UTC).'),
  })
  .meta({ id: 'WaitingApproval', description: 'A tool call that is waiting for approval.' })

export const QuestionAnswer = z
  .object({
    conversationId: id().describe(
      'The ID of the conversation. Send it with the next question to continue the conversation.',
    ),
    turnId: id().describe('The ID of the turn. Use it to follow or stop the turn.'),
    messageId: id().nullable().describe('The ID of the stored answer. `null` if it has not been stored yet.'),
    answer: z.string().nullable().describe('The answer so far. `null` if there is none yet.'),
    output: outputField,
    status: TurnStatus,
    failure: z
      .string()
      .nullable()
      .describe('Why the answer is missing or incomplete. `null` if the turn did not fail.'),
    toolInvocations: z.array(ToolInvocation).describe('The tool calls of the turn, in order.'),
    approvals: z.array(WaitingApproval).describe('The tool calls that are waiting for approval.'),
    usage: z
      .object({
        inputTokens: z.int().describe('The number of input tokens.'),
        outputTokens: z.int().describe('The number of output tokens.'),
        cachedInputTokens: z.int().describe('The number of input tokens that were read from a cache.'),
      })
      .describe('The token usage so far.'),
    cost: Cost.describe('The cost so far, including the cost of sub-agents.'),
  })
  .meta({ id: 'QuestionAnswer', description: 'A question to an agent, and its answer so far.' })

export type QuestionInput = z.output<typeof QuestionInput>
/** A question as a caller writes it, without defaults. */
export type QuestionBody = z.input<typeof QuestionInput>
export type TurnStatus = z.output<typeof TurnStatus>
export type QuestionAnswer = z.output<typeof QuestionAnswer>
