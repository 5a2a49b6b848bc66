import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { httpUrl, nonBlankText, text } from './field.js'
import { findTemplateMistake } from './url-template.js'
import { writable } from './writable.js'

const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, _ or -' })
  .describe('The name the model calls the tool by.')

const forbiddenHeaders = [
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'upgrade',
  'idempotency-key',
]

const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'must be a header name' })
  .refine((name) => !forbiddenHeaders.includes(name.toLowerCase()), { error: 'is set by the service itself' })

const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'must be a header value on one line' })

/** How many headers a tool may send, those that stay included. */
export const maxToolHeaders = 50

const headers = z
  .record(headerName, headerValue.nullable())
  .refine((map) => Object.keys(map).length <= maxToolHeaders, { error: `at most ${maxToolHeaders} headers` })
  .optional()
  .describe('Headers with their values. Write-only: a header left out stays, null clears it.')

const headerNames = z
  .array(z.string())
  .describe('Names of the headers that are set; their values are never shown.')

const parameters = z
  .looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()).optional() })
  .default({ type: 'object', properties: {} })
  .describe('JSON schema of the arguments; its type is object.')

const sharedFields = {
  name: toolName,
  title: nonBlankText(200).nullable().default(null).describe('What people see; the name where null.'),
  imageUrl: httpUrl().nullable().default(null).describe('A picture that clients can show beside the call.'),
  approvalRequired: z.boolean().default(false).describe('Whether a person must approve each call.'),
  approvedBy: approvedBy('Who may decide on its calls that need approval.').default('either'),
  timeoutSeconds: z.int().min(1).max(600).default(30).describe('How long one call may take.'),
  button: z
    .strictObject({
      label: nonBlankText(100).describe('The text on the button.'),
      link: httpUrl().describe('Where the button leads.'),
    })
    .nullable()
    .default(null)
    .describe('A button that clients can show with the result.'),
}

const httpRequestFields = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('The HTTP method.'),
  url: z
    .string()
    .max(2048)
    .superRefine((value, context) => {
      const mistake = findTemplateMistake(value)
      if (mistake) context.addIssue({ code: 'custom', message: mistake })
    })
    .describe('The address. `{name}` placeholders may stand in path segments and query values only.'),
  query: z
    .record(z.string().max(200), text(2048))
    .default({})
    .describe('Query parameters; values may hold placeholders.'),
  body: z
    .unknown()
    .default(null)
    .describe('A JSON body whose strings may hold placeholders; null: the arguments.'),
}

const mcpServerFields = {
  url: httpUrl().nullable().default(null).describe('The address of a streamable HTTP server.'),
  name: z.string().max(64).nullable().default(null).describe("The name of a server on the operator's list."),
}

const httpFields = {
  ...sharedFields,
  kind: z.literal('http'),
  description: nonBlankText(4000).describe('What the tool does, for the model to choose by.'),
  parameters,
}

const mcpFields = {
  ...sharedFields,
  kind: z.literal('mcp'),
  description: text(4000)
    .nullable()
    .default(null)
    .describe('A note for people; the server describes its own tools.'),
  allowedTools: z
    .array(nonBlankText(128))
    .max(200)
    .nullable()
    .default(null)
    .describe("Which of the server's tools the agent may use; all where null."),
  destructiveApprovalRequired: z
    .boolean()
    .default(false)
    .describe(
      "Whether a person must approve each call of those of the server's tools that may destroy something: all but those that say `readOnlyHint` true or `destructiveHint` false.",
    ),
}

const builtinFields = {
  ...sharedFields,
  kind: z.literal('builtin'),
  description: text(4000)
    .nullable()
    .default(null)
    .describe("Overrides the tool's own description for the model."),
  builtin: z
    .enum(['current_time', 'create_task', 'search_files'])
    .describe('Which of the shipped tools it is.'),
}

export const AgentToolInput = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...httpFields, request: writable({ ...httpRequestFields, headers }, ['headerNames']) }),
    z.strictObject({
      ...mcpFields,
      server: writable({ ...mcpServerFields, headers }, ['headerNames']).refine(
        (server) => (server.url === null) !== (server.name === null),
        { error: 'needs exactly one of url and name' },
      ),
    }),
    z.strictObject(builtinFields),
  ])
  .meta({ id: 'AgentToolInput', description: 'A tool of an agent, as it is written.' })

export const AgentTool = z
  .discriminatedUnion('kind', [
    z.object({ ...httpFields, request: z.object({ ...httpRequestFields, headerNames }) }),
    z.object({ ...mcpFields, server: z.object({ ...mcpServerFields, headerNames }) }),
    z.object(builtinFields),
  ])
  .meta({ id: 'AgentTool', description: 'A tool of an agent. Header values are never shown.' })

export type AgentToolInput = z.output<typeof AgentToolInput>
export type AgentTool = z.output<typeof AgentTool>
