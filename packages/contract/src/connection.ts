import { z } from 'zod'
import { checkGoogleAccess } from './connection-vertex.js'
import { httpUrl, id, nonBlankText, resourceFields, text } from './field.js'
import { managedFields } from './managed-fields.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

const modelName = nonBlankText(200)

export const ConnectionKind = z
  .enum([
    'openai',
    'azure-openai',
    'azure-voice-live',
    'xai',
    'qwen',
    'google',
    'openai-compatible',
    'anthropic',
    'embedded',
  ])
  .describe('The kind of the provider. `embedded` is the built-in engine.')

export type ConnectionKind = z.output<typeof ConnectionKind>

const RealtimeProtocol = z
  .enum(['realtime', 'live'])
  .describe('`live` is the protocol of GPT-Live, which needs a text model in `models.chat`.')

/** The realtime protocols that a connection can name. */
export type RealtimeProtocol = z.output<typeof RealtimeProtocol>

const models = z
  .strictObject({
    chat: modelName
      .nullable()
      .optional()
      .describe('The default text model of agents. `null` if there is none.'),
    realtime: z
      .array(modelName)
      .max(50)
      .nullable()
      .optional()
      .describe(
        "The realtime models. The first one is the default. If `null`, the deployment's default is used, usually `gpt-realtime-2.1`. If empty, the connection has no realtime models.",
      ),
    transcription: modelName
      .nullable()
      .optional()
      .describe(
        "The model that transcribes the user's speech. If `null`, the deployment's default is used, usually `gpt-transcribe`.",
      ),
    speech: modelName.nullable().optional().describe('The speech model. `null` if there is none.'),
  })
  .describe('The models of the connection.')

const plainFields = {
  name: nonBlankText(200).describe('The display name of the connection.'),
  kind: ConnectionKind,
  baseUrl: httpUrl()
    .refine((value) => !/[?#]/.test(value), { error: 'must not contain a query or a fragment' })
    .nullable()
    .default(null)
    .describe(
      'The base URL of the provider. If `null`, the default URL of the kind is used. For Gemini on Vertex AI, it ends in `/projects/{project}/locations/{location}`.',
    ),
  realtimeEnabled: z.boolean().default(true).describe('Whether realtime sessions can use the connection.'),
  governanceDisabled: z
    .boolean()
    .default(false)
    .describe('Whether an administrator disabled the connection.'),
  isDefault: z.boolean().default(false).describe('Whether agents without a connection use this one.'),
  chatConnectionId: id()
    .nullable()
    .default(null)
    .describe(
      'The ID of the connection whose text model the built-in engine uses. Only for kind `embedded`. If `null`, the built-in demo model is used.',
    ),
  realtimeProtocol: RealtimeProtocol.nullable()
    .default(null)
    .describe(
      'The protocol of the realtime models. Only for kind `openai`. If `null`, models whose name begins with `gpt-live` use `live`, and all others use `realtime`.',
    ),
  ...managedFields,
}

export const connectionInputFields = {
  ...plainFields,
  models: models.default({}),
  apiKey: text(4096)
    .refine((key) => key.trim() !== '', { error: 'must not be blank' })
    .nullable()
    .optional()
    .describe(
      'The API key of the provider, or the JSON key of a service account for Gemini on Vertex AI. Write-only. If omitted, the stored key is kept. If `null`, the stored key is deleted. Changing `baseUrl` also deletes the stored key.',
    ),
}

const readOnlyFields = [...Object.keys(resourceFields), 'hasApiKey']

const kindsWithUrl: readonly ConnectionKind[] = [
  'azure-openai',
  'azure-voice-live',
  'qwen',
  'openai-compatible',
]

type Checked = Pick<
  z.output<z.ZodObject<typeof connectionInputFields>>,
  'kind' | 'baseUrl' | 'apiKey' | 'chatConnectionId' | 'realtimeProtocol'
>

/** Validates rules that involve several fields. They apply to the complete connection, also after a patch. */
function checkFields(connection: Checked, context: z.RefinementCtx): void {
  if (kindsWithUrl.includes(connection.kind) && connection.baseUrl === null)
    context.addIssue({
      code: 'custom',
      path: ['baseUrl'],
      message: `is required if kind is ${connection.kind}`,
    })
  if (connection.kind === 'embedded' && connection.baseUrl !== null)
    context.addIssue({ code: 'custom', path: ['baseUrl'], message: 'must be null if kind is embedded' })
  if (connection.kind === 'embedded' && typeof connection.apiKey === 'string')
    context.addIssue({ code: 'custom', path: ['apiKey'], message: 'must not be set if kind is embedded' })
  if (connection.kind !== 'embedded' && connection.chatConnectionId !== null)
    context.addIssue({
      code: 'custom',
      path: ['chatConnectionId'],
      message: 'must be null unless kind is embedded',
    })
  checkGoogleAccess(connection, context)
  if (connection.kind !== 'openai' && connection.realtimeProtocol !== null)
    context.addIssue({
      code: 'custom',
      path: ['realtimeProtocol'],
      message: 'must be null unless kind is openai',
    })
}

const example = { name: 'OpenAI', kind: 'openai', apiKey: 'sk-example', models: { chat: 'gpt-5-mini' } }

export const ConnectionInput = writable(connectionInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'ConnectionInput',
    description: 'The parameters for creating or replacing a connection.',
    examples: [example],
  })

const { externalId: _, ...upsertFields } = connectionInputFields

export const ConnectionUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'ConnectionUpsert',
    description:
      'The parameters for creating or replacing a connection by its external ID, which is part of the path.',
    examples: [example],
  })

export const ConnectionPatch = patchable(connectionInputFields, readOnlyFields).meta({
  id: 'ConnectionPatch',
  description: 'A merge patch for a connection.',
  examples: [{ models: { realtime: ['gpt-realtime-2.1'] } }],
})

export const Connection = z
  .object({
    ...resourceFields,
    ...plainFields,
    models: z
      .object({
        chat: z.string().nullable().describe('The default text model of agents. `null` if there is none.'),
        realtime: z
          .array(z.string())
          .nullable()
          .describe(
            "The realtime models. The first one is the default. If `null`, the deployment's default is used.",
          ),
        transcription: z
          .string()
          .nullable()
          .describe(
            "The model that transcribes the user's speech. If `null`, the deployment's default is used.",
          ),
        speech: z.string().nullable().describe('The speech model. `null` if there is none.'),
      })
      .describe('The models of the connection.'),
    hasApiKey: z.boolean().describe('Whether an API key is stored. The key itself is never returned.'),
  })
  .meta({ id: 'Connection', description: 'A connection to a model provider.' })

export const ConnectionPage = pageOf(Connection, 'Connection')

export const ConnectionListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only return connections whose name contains this text.'),
})

export const ConnectionTest = z
  .object({
    ok: z.boolean().describe('Whether the provider responded and accepted the API key.'),
    detail: z.string().describe('A description of the result, and of what to do next.'),
    providerStatus: z
      .int()
      .nullable()
      .describe('The HTTP status code of the response. `null` if the provider did not respond.'),
    durationMilliseconds: z.int().describe('The duration of the test request in milliseconds.'),
    missingModels: z.array(z.string()).describe('The configured models that the provider does not list.'),
  })
  .meta({ id: 'ConnectionTest', description: 'The result of testing a connection.' })

export type Connection = z.output<typeof Connection>
export type ConnectionInput = z.output<typeof ConnectionInput>
export type ConnectionUpsert = z.output<typeof ConnectionUpsert>
export type ConnectionPatch = z.output<typeof ConnectionPatch>
export type ConnectionListQuery = z.output<typeof ConnectionListQuery>
export type ConnectionTest = z.output<typeof ConnectionTest>
