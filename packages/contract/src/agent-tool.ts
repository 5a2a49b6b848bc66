import { z } from 'zod'
import { approvedBy } from './approved-by.js'
import { httpUrl, nonBlankText, text } from './field.js'
import { findTemplateError } from './url-template.js'
import { writable } from './writable.js'

const toolName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, {
    error: 'must consist of 1 to 64 letters, digits, underscores or hyphens',
  })
  .describe('The name of the tool, as the model sees it.')

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
    error: 'is set by the service and cannot be overridden',
  })

const headerValue = z
  .string()
  .max(8192)
  .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'must be a valid single-line header value' })

/** The maximum number of headers per tool, including stored headers that an update omits. */
export const maxToolHeaders = 50

const headers = z
  .record(headerName, headerValue.nullable())
  .refine((map) => Object.keys(map).length <= maxToolHeaders, {
    error: `must have at most ${maxToolHeaders} headers`,
  })
  .optional()
  .describe(
    'The HTTP headers. Write-only. If a header is omitted, its stored value is kept. If its value is `null`, the header is deleted.',
  )

const headerNames = z
  .array(z.string())
  .describe('The names of the stored headers. Their values are never returned.')

const parameters = z
  .looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()).optional() })
  .default({ type: 'object', properties: {} })
  .describe('The JSON schema of the arguments. Its `type` must be `object`.')

const sharedFields = {
  name: toolName,
  title: nonBlankText(200)
    .nullable()
    .default(null)
    .describe('The display name of the tool. If `null`, the name of the tool is displayed.'),
  imageUrl: httpUrl()
    .nullable()
    .default(null)
    .describe('The URL of an image that clients can display with the call. `null` if there is none.'),
  approvalRequired: z.boolean().default(false).describe('Whether each call must be approved before it runs.'),
  approvedBy: approvedBy('Who can approve or reject calls of the tool.').default('either'),
  timeoutSeconds: z.int().min(1).max(600).default(30).describe('The timeout of a call in seconds.'),
  button: z
    .strictObject({
      label: nonBlankText(100).describe('The label of the button.'),
      link: httpUrl().describe('The URL that the button opens.'),
    })
    .nullable()
    .default(null)
    .describe('A button that clients can display with the result. `null` if there is none.'),
}

const httpRequestFields = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('The HTTP method.'),
  url: z
    .string()
    .max(2048)
    .superRefine((value, context) => {
      const error = findTemplateError(value)
      if (error) context.addIssue({ code: 'custom', message: error })
    })
    .describe('The URL. It can contain `{name}` placeholders in path segments and query values.'),
  query: z
    .record(z.string().max(200), text(2048))
    .default({})
    .describe('The query parameters. Their values can contain `{name}` placeholders.'),
  body: z
    .unknown()
    .default(null)
    .describe(
      'The JSON body. Its strings can contain `{name}` placeholders. If `null`, the arguments are sent as the body.',
    ),
}

const mcpServerFields = {
  url: httpUrl()
    .nullable()
    .default(null)
    .describe('The URL of a server that supports streamable HTTP. Set either `url` or `name`.'),
  name: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe('The name of a server that the operator has configured. Set either `url` or `name`.'),
}

const httpFields = {
  ...sharedFields,
  kind: z.literal('http').describe('The kind of the tool.'),
  description: nonBlankText(4000).describe(
    'A description of what the tool does. The model uses it to decide when to call the tool.',
  ),
  parameters,
}

const mcpFields = {
  ...sharedFields,
  kind: z.literal('mcp').describe('The kind of the tool.'),
  description: text(4000)
    .nullable()
    .default(null)
    .describe(
      'A note about the server. It is not sent to the model, because the server describes its own tools. `null` if there is none.',
    ),
  allowedTools: z
    .array(nonBlankText(128))
    .max(200)
    .nullable()
    .default(null)
    .describe(
      'The names of the server tools that the agent can use. If `null`, the agent can use all of them.',
    ),
  destructiveApprovalRequired: z
    .boolean()
    .default(false)
    .describe(
      'Whether calls of destructive tools require approval. A tool is considered destructive unless it declares `readOnlyHint: true` or `destructiveHint: false`.',
    ),
}

const builtinFields = {
  ...sharedFields,
  kind: z.literal('builtin').describe('The kind of the tool.'),
  description: text(4000)
    .nullable()
    .default(null)
    .describe('The description that the model sees. If `null`, the built-in description is used.'),
  builtin: z.enum(['current_time', 'create_task', 'search_files']).describe('The name of the built-in tool.'),
}

export const AgentToolInput = z
  .discriminatedUnion('kind', [
    z.strictObject({
      ...httpFields,
      request: writable({ ...httpRequestFields, headers }, ['headerNames']).describe(
        'The HTTP request of the tool.',
      ),
    }),
    z.strictObject({
      ...mcpFields,
      server: writable({ ...mcpServerFields, headers }, ['headerNames'])
        .refine((server) => (server.url === null) !== (server.name === null), {
          error: 'must have either url or name, but not both',
        })
        .describe('The MCP server.'),
    }),
    z.strictObject(builtinFields),
  ])
  .meta({ id: 'AgentToolInput', description: 'The configuration of an agent tool in a request.' })

export const AgentTool = z
  .discriminatedUnion('kind', [
    z.object({
      ...httpFields,
      request: z.object({ ...httpRequestFields, headerNames }).describe('The HTTP request of the tool.'),
    }),
    z.object({
      ...mcpFields,
      server: z.object({ ...mcpServerFields, headerNames }).describe('The MCP server.'),
    }),
    z.object(builtinFields),
  ])
  .meta({ id: 'AgentTool', description: 'A tool of an agent. The values of its headers are never returned.' })

export type AgentToolInput = z.output<typeof AgentToolInput>
export type AgentTool = z.output<typeof AgentTool>
