import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { filtersMetadata } from './end-user.js'
import { eventStreamExampleOf, responseExampleOf, textExampleOf } from './examples/response-examples.js'
import { changedFieldsHeader, DryRunQuery } from './managed-fields.js'
import { oidcCallback } from './oidc-callback-path.js'
import type { Operation, PersonOperation } from './operation.js'
import { allOperations, allPersonOperations } from './operations/index.js'
import { type ErrorCode, errorStatus, Problem } from './problem.js'
import { socketPath } from './socket-path.js'
import { describeSocket } from './socket-reference.js'
import { describeWebhooks } from './webhook-reference.js'

const problemCases = {
  400: 'The request is invalid. `errors` lists the invalid fields.',
  401: 'The API key is missing, unknown, expired or deleted, or no user is signed in.',
  403: 'The API key or session has no access to this organization or operation.',
  404: 'The resource does not exist in this organization.',
  405: 'The path does not support this method. The `Allow` header lists the supported methods.',
  409: 'The request conflicts with the current state.',
  412: 'The resource has changed since it was read.',
  413: 'The request body is too large.',
  415: 'The media type of the request body is not supported.',
  426: 'The request must be upgraded to a WebSocket connection.',
  429: 'Too many requests. Retry after the number of seconds in the `Retry-After` header.',
  500: 'An internal error occurred. The service log contains the cause with the request ID.',
  503: 'The service or a model provider is temporarily unavailable. Try again later.',
} as const

const always: readonly ErrorCode[] = [
  'InvalidRequest',
  'Unauthenticated',
  'Forbidden',
  'RateLimited',
  'Internal',
]

const responseHeaders = z.object({
  'X-Request-Id': z.string().describe('The ID of the request, which also appears in the service log.'),
  'RateLimit-Limit': z.string().describe('The maximum number of requests per minute. The default is 600.'),
  'RateLimit-Remaining': z.string().describe('The number of requests remaining in the current minute.'),
  'RateLimit-Reset': z.string().describe('The number of seconds until the limit resets.'),
})

/** The error responses, one component per status. They are built once, so that operations can reference them. */
const problemResponses = new Map<number, ZodOpenApiResponseObject>(
  Object.entries(problemCases).map(([status, description]) => [
    Number(status),
    {
      id: `Problem${status}`,
      description,
      headers: responseHeaders,
      content: { 'application/problem+json': { schema: Problem } },
    },
  ]),
)

export type OpenApiDocument = ReturnType<typeof createDocument>

/** Builds the OpenAPI 3.1 document of the whole API. */
export function buildOpenApi(version: string): OpenApiDocument {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Parley API',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service.' }],
    security: [{ ApiKey: [], OrganizationId: [] }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths: {
      ...pathsOf([...allOperations, ...allPersonOperations]),
      ...oidcCallback,
      ...socketPath(problemResponses),
    },
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Api-Key',
          description: 'The API key, which identifies the calling integration.',
        },
        OrganizationId: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Org-Id',
          description: 'The ID of the organization. It scopes the request to this organization.',
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-parley',
          description:
            'The session of a signed-in user. If the service does not use HTTPS, the name of the cookie is `parley`.',
        },
      },
    },
  })
}

const introduction = `The Parley API lets your backend manage agents, connections, tasks and API keys, and talk to agents in text and voice.
Authenticate each request with the headers \`X-Api-Key\` and \`X-Org-Id\`. Signed-in users send the session cookie instead of an API key.
Except for GET, their requests must also have the \`Origin\` of the service and a JSON body. List operations accept \`Offset\` and \`Limit\`. Errors are returned as
\`application/problem+json\` with a stable \`errorCode\`. Within v1, changes only add fields and operations. Anything that will be removed is marked as deprecated at
least six months before, and its responses then have \`Deprecation\` and \`Sunset\` headers.`

const tags = [
  ['Agent', 'Agents: instructions, a model and tools.'],
  ['AgentRevision', 'Revisions of agents.'],
  ['AgentTest', 'Tests of agents.'],
  ['AgentTestRun', 'Runs of tests, and their results.'],
  ['Connection', 'Connections to model providers.'],
  ['McpAuthorization', 'Authorizations to use MCP servers that require OAuth.'],
  ['Question', 'Text questions to agents.'],
  ['Task', 'Tasks for users and agents.'],
  ['RealtimeSession', describeSocket()],
  ['PhoneConnection', 'Accounts at telephone providers.'],
  ['PhoneNumber', 'Telephone numbers, and the agents that answer them.'],
  ['PhoneCall', 'Incoming and outgoing telephone calls.'],
  ['Conversation', 'Text and voice conversations.'],
  ['ConversationRetention', 'How long conversations are kept.'],
  ['EndUser', 'The people who talk to your agents.'],
  ['Approval', 'Approvals of tool calls.'],
  [
    'TemporaryFile',
    'Files that can be attached to questions as context. They are deleted after a limited time.',
  ],
  ['ApiKey', 'API keys of the organization.'],
  ['Member', 'Members of the organization and their roles.'],
  ['Me', 'Sign-in, and the account of the signed-in user.'],
  ['McpGrant', 'MCP clients that act on behalf of members.'],
  ['Invitation', 'Invitations to join the organization.'],
  ['Webhook', 'Webhooks that receive events, and their deliveries.'],
  ['Usage', 'Usage and cost of models.'],
  ['Price', 'Prices of models.'],
  ['Budget', 'Daily and monthly usage limits.'],
  ['AuditLog', 'Audit records, in a hash chain that reveals tampering.'],
  ['Event', 'A live stream of changes in the organization.'],
] as const

/** Any operation of the API, for API keys or for users. */
type AnyOperation = Operation | PersonOperation

function pathsOf(operations: readonly AnyOperation[]) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    }
  }
  return paths
}

function metadataNote({ query }: AnyOperation): string {
  return filtersMetadata(query)
    ? 'Query parameters such as `Metadata.plan=pro` return only items whose metadata has this value. At most 5.'
    : ''
}

function describe(operation: AnyOperation): ZodOpenApiOperationObject {
  const example = operation.body && exampleOf(operation.body)
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, metadataNote(operation), describeCaller(operation)]
      .filter(Boolean)
      .join('\n\n'),
    ...(filtersMetadata(operation.query) && { 'x-filters-metadata': true }),
    ...('caller' in operation && { security: operation.caller === 'person' ? [{ Session: [] }] : [] }),
    requestParams: {
      ...(operation.params && { path: operation.params as z.ZodObject }),
      ...(operation.query && { query: operation.query as z.ZodObject }),
      ...requestHeaders(operation),
    },
    ...(operation.body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          bodyMediaTypes(operation).map((type) => [
            type,
            { schema: operation.body as z.ZodType, ...(example !== undefined && { example }) },
          ]),
        ),
      },
    }),
    ...(operation.form && {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: operation.form } } },
    }),
    responses: {
      [operation.status]: success(operation),
      ...(operation.mayCreate && {
        201: { ...success(operation), description: 'The resource was created.' },
      }),
      ...(operation.mayRunInBackground && { 202: accepted(operation) }),
      ...(operation.isResumable && { 204: noMoreEvents }),
      ...problems(operation),
    },
  }
}

function describeCaller(operation: AnyOperation): string {
  if ('scope' in operation)
    return operation.scope === null ? 'No scope is required.' : `Requires the scope \`${operation.scope}\`.`
  return operation.caller === 'person'
    ? 'Requires a signed-in user. API keys cannot use this operation.'
    : 'No authentication is required.'
}

/** Returns the example of a request body for the API reference. A test sends each example. */
export function exampleOf(body: z.ZodType): unknown {
  const examples = z.globalRegistry.get(body)?.examples
  return Array.isArray(examples) ? examples[0] : undefined
}

/** Returns the accepted media types. Merge patches can also be sent as plain JSON. */
export function bodyMediaTypes(operation: AnyOperation): string[] {
  return operation.method === 'PATCH'
    ? ['application/json', 'application/merge-patch+json']
    : ['application/json']
}

function requestHeaders(operation: AnyOperation) {
  const fields: Record<string, z.ZodType> = {}
  if (operation.isIdempotent)
    fields['Idempotency-Key'] = z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe(
        'An idempotency key. If a request with the same key and body is repeated within 24 hours, the first response is returned again.',
      )
  if (operation.isConditional)
    fields['If-Match'] = z
      .string()
      .optional()
      .describe(
        'The `ETag` of a previous response. If the resource has changed since then, the request is rejected with 412.',
      )
  if (operation.isResumable)
    fields['Last-Event-ID'] = z
      .string()
      .regex(/^\d{0,9}$/)
      .optional()
      .describe('The ID of the last received event. If omitted, all events are sent.')
  if (operation.isEndless)
    fields['Last-Event-ID'] = z
      .string()
      .optional()
      .describe('The ID of the last received event. If omitted, only new changes are sent.')
  return Object.keys(fields).length > 0 ? { header: z.object(fields) } : {}
}

const changedFieldNames = z
  .string()
  .optional()
  .describe(
    'The names of the changed fields, separated by commas. Empty if nothing changed. Only set in a dry run of an update.',
  )

function success(operation: AnyOperation): ZodOpenApiResponseObject {
  const extraHeaders = {
    ...(operation.hasETag && { ETag: z.string().describe('The version of the resource, for `If-Match`.') }),
    ...(operation.query === DryRunQuery && { [changedFieldsHeader]: changedFieldNames }),
  }
  const headers =
    Object.keys(extraHeaders).length > 0 ? responseHeaders.extend(extraHeaders) : responseHeaders
  const content = {
    ...(operation.response && { 'application/json': jsonBody(operation.response, operation.status) }),
    ...(operation.events && {
      'text/event-stream': {
        schema: operation.events,
        example: eventStreamExampleOf(operation.events),
      },
    }),
    ...Object.fromEntries(
      (operation.streamed ?? []).map((type) => [type, textBody(operation.operationId, type)]),
    ),
  }
  return { description: operation.outcome, headers, ...(Object.keys(content).length > 0 && { content }) }
}

const noMoreEvents: ZodOpenApiResponseObject = {
  description: 'The turn has ended, and there are no events after `Last-Event-ID`.',
  headers: responseHeaders,
}

function accepted({ response = z.unknown() }: AnyOperation): ZodOpenApiResponseObject {
  return {
    description:
      'A tool call is waiting for approval. The turn continues in the background after the decision.',
    headers: responseHeaders,
    content: { 'application/json': jsonBody(response, 202) },
  }
}

function jsonBody(schema: z.ZodType, status: number) {
  const example = responseExampleOf(schema, status)
  return { schema, ...(example !== undefined && { example }) }
}

function textBody(operationId: string, mediaType: string) {
  const example = textExampleOf(operationId, mediaType)
  return { schema: z.string(), ...(example !== undefined && { example }) }
}

function problems(operation: AnyOperation): Record<string, ZodOpenApiResponseObject> {
  const codes = [...always, ...(operation.errors ?? [])]
  if (operation.params) codes.push('NotFound')
  if (operation.body) codes.push('TooLarge', 'UnsupportedMediaType')
  if (operation.isConditional) codes.push('PreconditionFailed')
  if (operation.isIdempotent) codes.push('Conflict')
  const statuses = [...new Set(codes.map((code) => errorStatus[code]))].sort()
  return Object.fromEntries(
    statuses.map((status) => [String(status), problemResponses.get(status)]),
  ) as Record<string, ZodOpenApiResponseObject>
}
