import { z } from 'zod'
import { answeredMoment, id } from '../field.js'

export const chatbotId = id().describe('The id of the agent. Events of a sub-agent have its own id.')
const callId = z.string().describe("The provider's id of the tool call.")
const messageId = id().describe('The id of the stored tool message.')
const imageUrl = z.string().nullable().describe("The tool's picture, or null.")
const title = z.string().describe("The tool's title, else its name.")

/** Numeric status of a tool call. */
export const ToolStatus = { Pending: 0, Success: 1, Failed: 2, PendingApproval: 3 } as const
export type ToolStatus = (typeof ToolStatus)[keyof typeof ToolStatus]

const toolStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
  .describe('0 pending, 1 success, 2 failed, 3 pending approval.')

export function customEvent<Type extends string, Data extends z.ZodRawShape>(
  type: Type,
  description: string,
  data: Data,
) {
  return z
    .strictObject({ type: z.literal(type), data: z.strictObject(data) })
    .meta({ title: type, description })
}

/** The events that the service adds to the provider's: `type` and `data`. */
export const customEvents = {
  'message.created': customEvent('message.created', 'A user transcript was persisted as a message.', {
    chatbotId,
    id: id().describe('The id of the stored message.'),
    role: z.literal('user').describe('Who said it.'),
    content: z.string().describe('The words.'),
    createdAt: answeredMoment().describe('When it was said (UTC).'),
  }),
  'response.id': customEvent('response.id', 'An assistant transcript was persisted.', {
    chatbotId,
    id: id().describe('The id of the stored message.'),
  }),
  'response.completed': customEvent(
    'response.completed',
    'Persistence of the assistant response completed.',
    { chatbotId },
  ),
  'response.function_invocation.start': customEvent(
    'response.function_invocation.start',
    'A backend tool started or is waiting for approval.',
    {
      id: messageId,
      callId,
      title,
      imageUrl,
      chatbotId,
      arguments: z.string().describe('The arguments as JSON text. The call runs with exactly these.'),
      approvalRequired: z.boolean().describe('Whether the call needs approval first.'),
      functionName: z.string().describe("The tool's name."),
    },
  ),
  'response.function_invocation.done': customEvent(
    'response.function_invocation.done',
    'A backend tool finished, failed, was rejected or timed out.',
    {
      id: messageId,
      callId,
      text: z.string().describe('The shortened result, for display.'),
      title,
      imageUrl,
      button: z.boolean().describe('Whether the tool has a button.'),
      buttonLabel: z.string().nullable().describe('The label of the button.'),
      buttonLink: z.string().nullable().describe('The address that the button opens.'),
      chatbotId,
      status: toolStatus,
      executionTimeSeconds: z.number().describe('The duration of the call. 0 if it did not run.'),
    },
  ),
  'approval.waiting': customEvent('approval.waiting', 'A backend tool needs user approval before running.', {
    callId,
    messageId,
    timeoutSeconds: z.number().describe('Seconds until the approval expires. Default: 300.'),
    approvedBy: z
      .enum(['client', 'staff'])
      .optional()
      .describe('Set if only one side may decide. `staff`: this client may not. Left out if both may.'),
  }),
  'approval.approved': customEvent(
    'approval.approved',
    'Approval accepted; the backend is executing the tool.',
    {
      callId,
      messageId,
    },
  ),
  'approval.expired': customEvent('approval.expired', 'Approval timeout elapsed.', { callId, messageId }),
  'subagent.start': customEvent('subagent.start', 'A sub-agent invocation started.', {
    id: id().describe("The sub-agent's id."),
    name: z.string().describe("The sub-agent's name."),
    icon: z.string().nullable().describe("The sub-agent's icon."),
    iconColor: z.string().nullable().describe("The color of the sub-agent's icon."),
    callId,
  }),
  'subagent.done': customEvent('subagent.done', 'A sub-agent invocation completed.', { chatbotId }),
} as const

export type CustomEventType = keyof typeof customEvents
export type CustomEvent = {
  [Type in CustomEventType]: z.output<(typeof customEvents)[Type]>
}[CustomEventType]
