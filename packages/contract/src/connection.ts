import { z } from 'zod'
import { httpUrl, id, nonBlankText, resourceFields, text } from './field.js'
import { keptFields } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

const modelName = nonBlankText(200)

export const ConnectionKind = z
  .enum(['openai', 'azure-openai', 'openai-compatible', 'anthropic', 'embedded'])
  .describe('The kind of provider. `embedded` is the built-in engine.')

export type ConnectionKind = z.output<typeof ConnectionKind>

const models = z
  .strictObject({
    chat: modelName.nullable().optional().describe('The default text model of agents. Null: none.'),
    realtime: z
      .array(modelName)
      .max(50)
      .nullable()
      .optional()
      .describe(
        "The realtime models, the default first. Null: the deployment's default, usually `gpt-realtime-2.1`. Empty: none.",
      ),
    transcription: modelName
      .nullable()
      .optional()
      .describe(
        "The transcription model for the user's speech. Null: the deployment's default, usually `gpt-transcribe`.",
      ),
    speech: modelName.nullable().optional().describe('The speech model.'),
  })
  .describe("The models. Null: the deployment's default.")

const plainFields = {
  name: nonBlankText(200).describe('The name people see.'),
  kind: ConnectionKind,
  baseUrl: httpUrl()
    .refine((value) => !/[?#]/.test(value), { error: 'must not contain a query or a fragment' })
    .nullable()
    .default(null)
    .describe("The provider's address. Null: the default of the kind."),
  realtimeEnabled: z.boolean().default(true).describe('Whether realtime sessions may use the connection.'),
  governanceDisabled: z
    .boolean()
    .default(false)
    .describe('Whether an administrator disabled the connection.'),
  isDefault: z.boolean().default(false).describe('Whether agents without a connection use this one.'),
  chatConnectionId: id()
    .nullable()
    .default(null)
    .describe(
      'For kind `embedded`: the connection whose text model answers for the engine. Null: the built-in demo model.',
    ),
  ...keptFields,
}

export const connectionInputFields = {
  ...plainFields,
  models: models.default({}),
  apiKey: nonBlankText(4096)
    .regex(/^[\x21-\x7e]+$/, { error: 'must be printable characters without spaces' })
    .nullable()
    .optional()
    .describe(
      "The provider's key. Write-only. Left out: the stored key stays. Null: the key is deleted. A new address also deletes the stored key.",
    ),
}

const readOnlyFields = [...Object.keys(resourceFields), 'hasApiKey']

const needsAddress: readonly ConnectionKind[] = ['azure-openai', 'openai-compatible']

type Checked = Pick<
  z.output<z.ZodObject<typeof connectionInputFields>>,
  'kind' | 'baseUrl' | 'apiKey' | 'chatConnectionId'
>

/** Rules between fields of a connection. They are checked on the complete connection, also after a patch. */
function checkFields(connection: Checked, context: z.RefinementCtx): void {
  if (needsAddress.includes(connection.kind) && connection.baseUrl === null)
    context.addIssue({
      code: 'custom',
      path: ['baseUrl'],
      message: `is required for kind ${connection.kind}`,
    })
  if (connection.kind === 'embedded' && connection.baseUrl !== null)
    context.addIssue({ code: 'custom', path: ['baseUrl'], message: 'must be null for kind embedded' })
  if (connection.kind === 'embedded' && typeof connection.apiKey === 'string')
    context.addIssue({ code: 'custom', path: ['apiKey'], message: 'is not used by kind embedded' })
  if (connection.kind !== 'embedded' && connection.chatConnectionId !== null)
    context.addIssue({ code: 'custom', path: ['chatConnectionId'], message: 'is only for kind embedded' })
}

const example = { name: 'OpenAI', kind: 'openai', apiKey: 'sk-example', models: { chat: 'gpt-5-mini' } }

export const ConnectionInput = writable(connectionInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'ConnectionInput',
    description: 'The body that creates or replaces a connection.',
    examples: [example],
  })

const { externalId: _, ...upsertFields } = connectionInputFields

export const ConnectionUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'ConnectionUpsert',
    description: 'The body that creates or replaces a connection by its external id. The id is in the path.',
    examples: [example],
  })

export const ConnectionPatch = patchable(connectionInputFields, readOnlyFields).meta({
  id: 'ConnectionPatch',
  description: 'A merge patch of a connection.',
  examples: [{ models: { realtime: ['gpt-realtime-2.1'] } }],
})

export const Connection = z
  .object({
    ...resourceFields,
    ...plainFields,
    models: z
      .object({
        chat: z.string().nullable().describe('The text model.'),
        realtime: z.array(z.string()).nullable().describe('The realtime models, the default first.'),
        transcription: z.string().nullable().describe("The transcription model for the user's speech."),
        speech: z.string().nullable().describe('The speech model.'),
      })
      .describe("The models. Null: the deployment's default."),
    hasApiKey: z.boolean().describe('Whether a key is stored. The key itself is never shown.'),
  })
  .meta({ id: 'Connection', description: 'A connection to a model provider.' })

export const ConnectionPage = pageOf(Connection, 'Connection')

export const ConnectionListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only connections whose name contains this text.'),
})

export const ConnectionTest = z
  .object({
    ok: z.boolean().describe('Whether the provider answered and accepted the key.'),
    detail: z.string().describe('The result, and what to do about it.'),
    providerStatus: z.int().nullable().describe('The HTTP status of the provider. Null: no answer.'),
    durationMilliseconds: z.int().describe('The duration of the test call.'),
    missingModels: z.array(z.string()).describe('Configured models that the provider does not list.'),
  })
  .meta({ id: 'ConnectionTest', description: 'The result of a test call.' })

export type Connection = z.output<typeof Connection>
export type ConnectionInput = z.output<typeof ConnectionInput>
export type ConnectionUpsert = z.output<typeof ConnectionUpsert>
export type ConnectionPatch = z.output<typeof ConnectionPatch>
export type ConnectionListQuery = z.output<typeof ConnectionListQuery>
export type ConnectionTest = z.output<typeof ConnectionTest>
