import { z } from 'zod'
import { approvedBy } from '../approved-by.js'
import { answeredMoment, id, nonBlankText, text } from '../field.js'
import { rehearsalField } from '../rehearsal.js'

export const ClientTool = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })
      .describe('Tool name, case-sensitive.'),
    description: nonBlankText(4000).describe('Tool description.'),
    parameters: z
      .record(z.string(), z.unknown())
      .default({ type: 'object', properties: {} })
      .describe('JSON schema of the arguments. Default: an empty object schema.'),
  })
  .meta({ id: 'ClientTool', description: 'A tool that the client runs itself.' })

export const RealtimeSessionRequest = z
  .strictObject({
    conversationId: id()
      .nullable()
      .default(null)
      .describe('Existing conversation id; omitted or null creates a new conversation for the agent.'),
    inputAudioFormat: z
      .string()
      .default('pcm16')
      .describe('Requested input audio format, one that the deployment supports. Default: only `pcm16`.'),
    outputAudioFormat: z
      .string()
      .default('pcm16')
      .describe('Requested output audio format, one that the deployment supports. Default: only `pcm16`.'),
    voice: nonBlankText(100)
      .optional()
      .describe("Provider voice for output audio. Default: the agent's `voice`, else `alloy`."),
    additionalInstructions: text(100_000)
      .nullable()
      .default(null)
      .describe('Extra instructions appended after the agent system message for this session.'),
    clientTools: z
      .array(ClientTool)
      .max(128)
      .superRefine((tools, context) => {
        tools.forEach(({ name }, index) => {
          if (tools.findIndex((tool) => tool.name === name) < index)
            context.addIssue({
              code: 'custom',
              path: [index, 'name'],
              message: `another tool has the same name, ${name}`,
            })
        })
      })
      .default([])
      .describe('Tools executed by the client.'),
    approvedBy: approvedBy(
      'Who may decide on calls in this session. It can only narrow what each tool allows. Send `staff` for sessions of the public.',
    ).default('either'),
    rehearsal: rehearsalField,
  })
  .meta({
    id: 'RealtimeSessionRequest',
    description: 'The settings of a realtime session.',
    examples: [{ voice: 'alloy', additionalInstructions: 'The visitor speaks English.' }],
  })

export const RealtimeSessionTicket = z
  .object({
    sessionId: z.string().describe('One-time token used to connect the WebSocket.'),
    conversationId: id().describe('Conversation used by the session.'),
    expiresAt: answeredMoment().describe('Deadline for opening the WebSocket (UTC). Default: in 60 seconds.'),
    webSocketPath: z
      .string()
      .describe('Relative WebSocket path including conversationId and sessionId query parameters.'),
    supportedInputAudioFormats: z.array(z.string()).describe('Input formats supported by the deployment.'),
    supportedOutputAudioFormats: z.array(z.string()).describe('Output formats supported by the deployment.'),
    maxSessionSeconds: z.number().describe('Maximum session duration. Default: 1800.'),
    idleTimeoutSeconds: z.number().describe('Idle timeout. Default: 60.'),
    providerModelName: z
      .string()
      .describe(
        "Realtime model name of the provider: the agent's `realtimeModel`, else the first of its connection, else the deployment's.",
      ),
  })
  .meta({
    id: 'RealtimeSessionTicket',
    description: 'A one-time ticket for a realtime session. Give only webSocketPath to a browser.',
  })

export type ClientTool = z.output<typeof ClientTool>
export type RealtimeSessionRequest = z.output<typeof RealtimeSessionRequest>
export type RealtimeSessionTicket = z.output<typeof RealtimeSessionTicket>
