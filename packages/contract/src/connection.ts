import { z } from 'zod'
import { httpUrl, id, nonBlankText, resourceFields, text } from './field.js'
import { keptFields } from './kept-in-files.js'
import { pageOf, pageQuery } from './page.js'
import { patchable, writable } from './writable.js'

const modelName = nonBlankText(200)

export const ConnectionKind = z
  .enum(['openai', 'azure-openai', 'openai-compatible', 'anthropic', 'embedded'])
  .describe('Which provider it is; `embedded` is the built-in engine.')

export type ConnectionKind = z.output<typeof ConnectionKind>

const models = z
  .strictObject({
    chat: modelName
      .nullable()
      .optional()
      .describe('The text model of agents that name none; null: there is none.'),
    realtime: z
      .array(modelName)
      .max(50)
      .nullable()
      .optional()
      .describe(
        "The realtime models, the default first; null: the deployment's, `gpt-realtime-2.1` unless it says otherwise; an empty list: none.",
      ),
    transcription: modelName
      .nullable()
      .optional()
      .describe(
        "The model that writes down what was said; null: the deployment's, `gpt-transcribe` unless it says otherwise.",
      ),
    speech: modelName.nullable().optional().describe('The model that speaks.'),
  })
  .describe('The models to use; the deployment decides where one is null.')

const plainFields = {
  name: nonBlankText(200).describe('The name people see.'),
  kind: ConnectionKind,
  baseUrl: httpUrl()
    .refine((value) => !/[?#]/.test(value), { error: 'must not hold a query or a fragment' })
    .nullable()
    .default(null)
    .describe("The provider's address; null: the kind's own."),
  realtimeEnabled: z.boolean().default(true).describe('Whether realtime sessions may use it.'),
  governanceDisabled: z.boolean().default(false).describe('Whether an administrator has switched it off.'),
  isDefault: z.boolean().default(false).describe('Whether agents that name no connection use it.'),
  chatConnectionId: id()
    .nullable()
    .default(null)
    .describe(
      'For kind `embedded`: the connection whose text model the engine speaks for; null: the built-in offline model.',
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
    .describe("The provider's key. Write-only: left out it stays, null clears it; a new address drops it."),
}

const readOnlyFields = [...Object.keys(resourceFields), 'hasApiKey']

const needsAddress: readonly ConnectionKind[] = ['azure-openai', 'openai-compatible']

type Checked = Pick<
  z.output<z.ZodObject<typeof connectionInputFields>>,
  'kind' | 'baseUrl' | 'apiKey' | 'chatConnectionId'
>

/** Rules that hold between fields of a connection; checked on the whole of it, also after a patch. */
function checkFields(connection: Checked, context: z.RefinementCtx): void {
  if (needsAddress.includes(connection.kind) && connection.baseUrl === null)
    context.addIssue({
      code: 'custom',
      path: ['baseUrl'],
      message: `is needed for kind ${connection.kind}`,
    })
  if (connection.kind === 'embedded' && connection.baseUrl !== null)
    context.addIssue({ code: 'custom', path: ['baseUrl'], message: 'must be null for kind embedded' })
  if (connection.kind === 'embedded' && typeof connection.apiKey === 'string')
    context.addIssue({ code: 'custom', path: ['apiKey'], message: 'is not used by kind embedded' })
  if (connection.kind !== 'embedded' && connection.chatConnectionId !== null)
    context.addIssue({ code: 'custom', path: ['chatConnectionId'], message: 'is for kind embedded alone' })
}

const example = { name: 'OpenAI', kind: 'openai', apiKey: 'sk-example', models: { chat: 'gpt-5-mini' } }

export const ConnectionInput = writable(connectionInputFields, readOnlyFields)
  .superRefine(checkFields)
  .meta({
    id: 'ConnectionInput',
    description: 'A connection as it is created or replaced.',
    examples: [example],
  })

const { externalId: _, ...upsertFields } = connectionInputFields

export const ConnectionUpsert = writable(upsertFields, [...readOnlyFields, 'externalId'])
  .superRefine(checkFields)
  .meta({
    id: 'ConnectionUpsert',
    description: 'A connection as it is created or replaced under its external id, which stands in the path.',
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
        transcription: z.string().nullable().describe('The model that writes down what was said.'),
        speech: z.string().nullable().describe('The model that speaks.'),
      })
      .describe('The models to use; the deployment decides where one is null.'),
    hasApiKey: z.boolean().describe('Whether a key is stored; the key itself is never shown.'),
  })
  .meta({ id: 'Connection', description: 'A model provider and how to reach it.' })

export const ConnectionPage = pageOf(Connection, 'Connection')

export const ConnectionListQuery = z.strictObject({
  ...pageQuery,
  Search: text(200).optional().describe('Only connections whose name holds this text.'),
})

export const ConnectionTest = z
  .object({
    ok: z.boolean().describe('Whether the provider answered and took the key.'),
    detail: z.string().describe('What was found, and what to do about it.'),
    providerStatus: z
      .int()
      .nullable()
      .describe('The HTTP status of the provider; null where it did not answer.'),
    durationMilliseconds: z.int().describe('How long the try took.'),
    missingModels: z.array(z.string()).describe('Models named here that the provider does not list.'),
  })
  .meta({ id: 'ConnectionTest', description: 'The outcome of trying a connection.' })

export type Connection = z.output<typeof Connection>
export type ConnectionInput = z.output<typeof ConnectionInput>
export type ConnectionUpsert = z.output<typeof ConnectionUpsert>
export type ConnectionPatch = z.output<typeof ConnectionPatch>
export type ConnectionListQuery = z.output<typeof ConnectionListQuery>
export type ConnectionTest = z.output<typeof ConnectionTest>
