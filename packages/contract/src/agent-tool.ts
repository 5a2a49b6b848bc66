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
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'must be a valid header name' })
  .refine((name) => !forbiddenHeaders.includes(name.toLowerCase()), {
    error: 'is set by the service and cannot be changed',
  })

const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'must be a header value on one line' })

/** The maximum number of headers of a tool, including stored ones that a change leaves out. */
export const maxToolHeaders = 50

const headers = z
  .record(headerName, headerValue.nullable())
  .refine((map) => Object.keys(map).length <= maxToolHeaders, { error: `at most ${maxToolHeaders} headers` })
  .optional()
  .describe('Headers with their values. Write-only. A header left out keeps its value, null deletes it.')

const headerNames = z
  .array(z.string())
  .describe('The names of the stored headers. Their values are never shown.')

const parameters = z
  .looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()).optional() })
  .default({ type: 'object', properties: {} })
  .describe('The JSON schema of the arguments. Its type is object.')

const sharedFields = {
  name: toolName,
  title: nonBlankText(200)
    .nullable()
    .default(null)
    .describe('The name shown to people. Null: the tool name.'),
  imageUrl: httpUrl().nullable().default(null).describe('A picture that clients can show beside the call.'),
  approvalRequired: z.boolean().default(false).describe('Whether a person must approve each call.'),
  approvedBy: approvedBy('Who may decide on calls that need approval.').default('either'),
  timeoutSeconds: z.int().min(1).max(600).default(30).describe('The maximum duration of one call.'),
  button: z
    .strictObject({
      label: nonBlankText(100).describe('The label of the button.'),
      link: httpUrl().describe('The address that the button opens.'),
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
    .describe('The address. `{name}` placeholders are allowed in path segments and query values only.'),
  query: z
    .record(z.string().max(200), text(2048))
    .default({})
    .describe('Query parameters. Values may contain placeholders.'),
  body: z
    .unknown()
    .default(null)
    .describe('A JSON body whose strings may contain placeholders. Null: the arguments are the body.'),
}

const mcpServerFields = {
  url: httpUrl().nullable().default(null).describe('The address of a streamable HTTP server.'),
  name: z.string().max(64).nullable().default(null).describe("The name of a server on the operator's list."),
}

const httpFields = {
  ...sharedFields,
  kind: z.literal('http'),
  description: nonBlankText(4000).describe('What the tool does. The model chooses the tool by this text.'),
  parameters,
}

const mcpFields = {
  ...sharedFields,
  kind: z.literal('mcp'),
  description: text(4000)
    .nullable()
    .default(null)
    .describe('A note for people. The server describes its own tools.'),
  allowedTools: z
    .array(nonBlankText(128))
    .max(200)
    .nullable()
    .default(null)
    .describe("The server's tools that the agent may use. Null: all of them."),
  destructiveApprovalRequired: z
    .boolean()
    .default(false)
    .describe(
      'Whether destructive tools of the server need approval. A tool is destructive unless it declares `readOnlyHint` true or `destructiveHint` false.',
    ),
}

const builtinFields = {
  ...sharedFields,
  kind: z.literal('builtin'),
  description: text(4000)
    .nullable()
    .default(null)
    .describe("Replaces the tool's own description for the model."),
  builtin: z.enum(['current_time', 'create_task', 'search_files']).describe('The name of the built-in tool.'),
}

export const AgentToolInput = z
  .discriminatedUnion('kind', [
    z.strictObject({ ...httpFields, request: writable({ ...httpRequestFields, headers }, ['headerNames']) }),
    z.strictObject({
      ...mcpFields,
      server: writable({ ...mcpServerFields, headers }, ['headerNames']).refine(
        (server) => (server.url === null) !== (server.name === null),
        { error: 'needs either url or name, not both' },
      ),
    }),
    z.strictObject(builtinFields),
  ])
  .meta({ id: 'AgentToolInput', description: 'A tool of an agent, as it is sent.' })

export const AgentTool = z
  .discriminatedUnion('kind', [
    z.object({ ...httpFields, request: z.object({ ...httpRequestFields, headerNames }) }),
    z.object({ ...mcpFields, server: z.object({ ...mcpServerFields, headerNames }) }),
    z.object(builtinFields),
  ])
  .meta({ id: 'AgentTool', description: 'A tool of an agent. Header values are never shown.' })

export type AgentToolInput = z.output<typeof AgentToolInput>
export type AgentTool = z.output<typeof AgentTool>
