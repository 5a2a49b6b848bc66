import { z } from 'zod'
import { approvedBy } from '../approved-by.js'
import { endUserFields } from '../end-user.js'
import { id, nonBlankText, text, timestamp } from '../field.js'
import { rehearsalField } from '../rehearsal.js'

export const ClientTool = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, {
        error: 'must consist of 1 to 64 letters, digits, underscores or hyphens',
      })
      .describe(
        'The name of the tool. It is case-sensitive, and must be unique among the tools of the session.',
      ),
    description: nonBlankText(4000).describe(
      'The description of the tool, which the model uses to decide when to call it.',
    ),
    parameters: z
      .record(z.string(), z.unknown())
      .default({ type: 'object', properties: {} })
      .describe('The JSON schema of the arguments. If omitted, an empty object schema.'),
  })
  .meta({ id: 'ClientTool', description: 'A tool that the client runs.' })

export const RealtimeSessionRequest = z
  .strictObject({
    conversationId: id()
      .nullable()
      .default(null)
      .describe(
        'The ID of an existing conversation of the agent. If omitted or `null`, a new conversation is created.',
      ),
    inputAudioFormat: z
      .string()
      .default('pcm16')
      .describe(
        'The input audio format. The deployment must support it. By default, deployments support only `pcm16`.',
      ),
    outputAudioFormat: z
      .string()
      .default('pcm16')
      .describe(
        'The output audio format. The deployment must support it. By default, deployments support only `pcm16`.',
      ),
    voice: nonBlankText(100)
      .optional()
      .describe(
        'The voice of the provider for output audio. If omitted, the `voice` of the agent, or `alloy` if the agent has none.',
      ),
    additionalInstructions: text(100_000)
      .nullable()
      .default(null)
      .describe(
        'Additional instructions for this session. They are appended to the system message of the agent.',
      ),
    clientTools: z
      .array(ClientTool)
      .max(128)
      .superRefine((tools, context) => {
        tools.forEach(({ name }, index) => {
          if (tools.findIndex((tool) => tool.name === name) < index)
            context.addIssue({
              code: 'custom',
              path: [index, 'name'],
              message: `must be unique, but another tool is also named ${name}`,
            })
        })
      })
      .default([])
      .describe('The tools that the client runs.'),
    approvedBy: approvedBy(
      'Who can approve or reject tool calls in this session. This can only restrict the setting of each tool. Use `staff` for sessions with anonymous users.',
    ).default('either'),
    ...endUserFields,
    rehearsal: rehearsalField,
  })
  .meta({
    id: 'RealtimeSessionRequest',
    description: 'The parameters for creating a realtime session.',
    examples: [{ voice: 'alloy', additionalInstructions: 'The visitor speaks English.' }],
  })

export const RealtimeSessionTicket = z
  .object({
    sessionId: z.string().describe('The one-time token for opening the WebSocket.'),
    conversationId: id().describe('The ID of the conversation of the session.'),
    expiresAt: timestamp().describe(
      'When the token expires (UTC). The WebSocket must be opened before, by default within 60 seconds.',
    ),
    webSocketPath: z
      .string()
      .describe(
        'The relative path of the WebSocket, including the query parameters `conversationId` and `sessionId`.',
      ),
    supportedInputAudioFormats: z
      .array(z.string())
      .describe('The input audio formats that the deployment supports.'),
    supportedOutputAudioFormats: z
      .array(z.string())
      .describe('The output audio formats that the deployment supports.'),
    maxSessionSeconds: z
      .number()
      .describe('The maximum duration of the session in seconds. The default is 1800.'),
    idleTimeoutSeconds: z.number().describe('The idle timeout of the session in seconds. The default is 60.'),
    providerModelName: z
      .string()
      .describe(
        'The name of the realtime model at the provider. It is the `realtimeModel` of the agent, or the first realtime model of its connection, or the default of the deployment.',
      ),
  })
  .meta({
    id: 'RealtimeSessionTicket',
    description: 'A one-time ticket for a realtime session. Only pass `webSocketPath` to browsers.',
  })

export type ClientTool = z.output<typeof ClientTool>
export type RealtimeSessionRequest = z.output<typeof RealtimeSessionRequest>
export type RealtimeSessionTicket = z.output<typeof RealtimeSessionTicket>
