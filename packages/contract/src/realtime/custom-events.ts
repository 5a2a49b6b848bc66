import { z } from 'zod'
import { id, timestamp } from '../field.js'

export const chatbotId = id().describe(
  'The ID of the agent. Events of a sub-agent contain the ID of the sub-agent.',
)
const callId = z.string().describe('The ID that the model assigned to the tool call.')
const messageId = id().describe('The ID of the stored tool message.')
const imageUrl = z.string().nullable().describe('The URL of the image of the tool. `null` if it has none.')
const title = z.string().describe('The display name of the tool.')

/** The numeric status of a tool call. */
export const ToolStatus = { Pending: 0, Success: 1, Failed: 2, PendingApproval: 3 } as const
export type ToolStatus = (typeof ToolStatus)[keyof typeof ToolStatus]

const toolStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
  .describe('The status of the call: 0 (pending), 1 (success), 2 (failed) or 3 (pending approval).')

export function customEvent<Type extends string, Data extends z.ZodRawShape>(
  type: Type,
  description: string,
  data: Data,
) {
  return z
    .strictObject({ type: z.literal(type), data: z.strictObject(data) })
    .meta({ title: type, description })
}

/** The events of tool calls and messages, which text turns send as well. */
export const customEvents = {
  'message.created': customEvent('message.created', 'A user transcript was persisted as a message.', {
    chatbotId,
    id: id().describe('The ID of the stored message.'),
    role: z.literal('user').describe('The author of the message.'),
    content: z.string().describe('The text of the message.'),
    createdAt: timestamp().describe('When the message was created (UTC).'),
  }),
  'response.id': customEvent('response.id', 'An assistant transcript was persisted.', {
    chatbotId,
    id: id().describe('The ID of the stored message.'),
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
      arguments: z
        .string()
        .describe('The arguments as a JSON string. The tool is called with exactly these arguments.'),
      approvalRequired: z.boolean().describe('Whether the call must be approved before it runs.'),
      functionName: z.string().describe('The name of the tool.'),
    },
  ),
  'response.function_invocation.done': customEvent(
    'response.function_invocation.done',
    'A backend tool finished, failed, was rejected or timed out.',
    {
      id: messageId,
      callId,
      text: z.string().describe('The result of the call, shortened for display.'),
      title,
      imageUrl,
      button: z.boolean().describe('Whether the tool has a button.'),
      buttonLabel: z
        .string()
        .nullable()
        .describe('The label of the button. `null` if the tool has no button.'),
      buttonLink: z
        .string()
        .nullable()
        .describe('The URL that the button opens. `null` if the tool has no button.'),
      chatbotId,
      status: toolStatus,
      executionTimeSeconds: z
        .number()
        .describe('The duration of the call in seconds. `0` if the tool was not run.'),
    },
  ),
  'approval.waiting': customEvent('approval.waiting', 'A backend tool needs user approval before running.', {
    callId,
    messageId,
    timeoutSeconds: z
      .number()
      .describe('The number of seconds until the approval expires. The default is 300.'),
    approvedBy: z
      .enum(['client', 'staff'])
      .optional()
      .describe(
        'Who can approve or reject the call: the client (`client`), or only staff (`staff`). Omitted if both can.',
      ),
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
    id: id().describe('The ID of the sub-agent.'),
    name: z.string().describe('The name of the sub-agent.'),
    icon: z.string().nullable().describe('The icon of the sub-agent. `null` if it has none.'),
    iconColor: z.string().nullable().describe('The color of the icon. `null` for the default color.'),
    callId,
  }),
  'subagent.done': customEvent('subagent.done', 'A sub-agent invocation completed.', { chatbotId }),
} as const

/** The events that the service sends in a realtime session, in addition to the events of the provider. */
export const sessionEvents = {
  ...customEvents,
  'session.moving': customEvent(
    'session.moving',
    'The instance is shutting down, or has more sessions than others. Request the next session of the conversation. This one ends between turns.',
    {
      deadlineSeconds: z
        .number()
        .describe(
          'The number of seconds after which an instance that is shutting down ends the session even during a turn.',
        ),
    },
  ),
  'session.provider_changed': customEvent(
    'session.provider_changed',
    'Another realtime model answers from now on, or the same model in a new session at the provider. The session and the conversation continue.',
    {
      reason: z
        .enum(['unavailable', 'closed', 'expired'])
        .describe(
          'Why the model changed. `unavailable`: it could not start the session, or it stopped responding. `closed`: the provider closed the connection. `expired`: the session at the provider reached its maximum duration.',
        ),
      providerModelName: z.string().describe('The name of the realtime model that answers.'),
      isContextRestored: z
        .boolean()
        .describe('Whether the model has the instructions, the tools and the history of the conversation.'),
    },
  ),
} as const

export type CustomEventType = keyof typeof customEvents
export type CustomEvent = {
  [Type in CustomEventType]: z.output<(typeof customEvents)[Type]>
}[CustomEventType]

/** An event that the service sends in a realtime session. */
export type SessionServiceEvent = {
  [Type in keyof typeof sessionEvents]: z.output<(typeof sessionEvents)[Type]>
}[keyof typeof sessionEvents]
