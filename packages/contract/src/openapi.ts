import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { answerExampleOf, eventStreamExampleOf, textExampleOf } from './examples/answer-examples.js'
import { changedFieldsHeader, DryRunQuery } from './kept-in-files.js'
import { oidcCallback } from './oidc-callback-path.js'
import type { Operation, PersonOperation } from './operation.js'
import { allOperations, allPersonOperations } from './operations/index.js'
import { type ErrorCode, errorStatus, Problem } from './problem.js'
import { socketPath } from './socket-path.js'
import { describeSocket } from './socket-reference.js'
import { describeWebhooks } from './webhook-reference.js'

const problemCases = {
  400: 'The request is invalid. `errors` names the fields.',
  401: 'The key is missing, unknown, expired or deleted, or no user is signed in.',
  403: 'The key or session is valid, but not for this organization or operation.',
  404: 'The resource does not exist in this organization.',
  405: 'The path supports other methods. `Allow` lists them.',
  409: 'The request conflicts with the current state.',
  412: 'The resource has changed since it was read.',
  413: 'The body is larger than allowed.',
  415: 'The media type of the body is not supported.',
  426: 'The path requires a WebSocket upgrade.',
  429: 'Too many requests. `Retry-After` says when to retry.',
  500: 'The service failed. Its log has the cause under the request id.',
  503: 'The service or a model provider is unavailable. Try again.',
} as const

const always: readonly ErrorCode[] = [
  'InvalidRequest',
  'Unauthenticated',
  'Forbidden',
  'RateLimited',
  'Internal',
]

const answerHeaders = z.object({
  'X-Request-Id': z.string().describe('The id of this request, as in the service log.'),
  'RateLimit-Limit': z.string().describe('The number of requests allowed per minute. Default: 600.'),
  'RateLimit-Remaining': z.string().describe('The number of requests left in this minute.'),
  'RateLimit-Reset': z.string().describe('Seconds until the next minute begins.'),
})

/** Built once: the document refers to one component for each status. */
const problemResponses = new Map<number, ZodOpenApiResponseObject>(
  Object.entries(problemCases).map(([status, description]) => [
    Number(status),
    {
      id: `Problem${status}`,
      description,
      headers: answerHeaders,
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
          description: 'Identifies the calling integration.',
        },
        OrganizationId: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Org-Id',
          description: 'Scopes the request to one organization.',
        },
        Session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-parley',
          description:
            "A signed-in person's session. The cookie is named `parley` if the service has no https.",
        },
      },
    },
  })
}

const introduction = `The API of Parley. A customer's backend uses it to manage agents, connections, tasks and keys.
Every request carries \`X-Api-Key\` and \`X-Org-Id\`. A signed-in person sends the session cookie instead of a key,
and, with every method except GET, the service's own \`Origin\` and a JSON body. Lists accept \`Offset\` and \`Limit\`. Errors are \`application/problem+json\`
with a stable \`errorCode\`. Within v1, fields and operations are only added. Anything to be removed is marked as deprecated at least six
months before. Its answers then carry \`Deprecation\` and \`Sunset\` headers.`

const tags = [
  ['Agent', 'Agents: instructions, a model and tools.'],
  ['AgentRevision', 'Revisions of agents.'],
  ['Connection', 'Connections to model providers.'],
  ['McpAuthorization', 'MCP servers that require OAuth, and the consent to use them.'],
  ['Question', 'Questions to agents in text.'],
  ['Task', 'Work for people and agents.'],
  ['RealtimeSession', describeSocket()],
  ['Conversation', 'Conversations, spoken or typed.'],
  ['Approval', 'Tool calls that wait for approval.'],
  ['TemporaryFile', 'Files that give questions context, for a limited time.'],
  ['ApiKey', 'API keys of the organization.'],
  ['Member', 'People of the organization, and their roles.'],
  ['Me', 'Signing in, and settings of the signed-in person.'],
  ['McpGrant', 'MCP clients that act on behalf of members.'],
  ['Invitation', 'Invitation links.'],
  ['Webhook', 'Endpoints that receive events, and their deliveries.'],
  ['Usage', 'Usage of models, and its cost.'],
  ['Price', 'Prices of models.'],
  ['Budget', 'Limits on usage per day or month.'],
  ['AuditLog', 'Who did what, in a chain that reveals tampering.'],
  ['Event', 'Changes in the organization, as they happen.'],
] as const

/** Any operation of the API, for keys or for people. */
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

function describe(operation: AnyOperation): ZodOpenApiOperationObject {
  const example = operation.body && exampleOf(operation.body)
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, describeCaller(operation)].filter(Boolean).join('\n\n'),
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
      ...(operation.mayGoOn && { 202: goesOn(operation) }),
      ...(operation.isResumable && { 204: nothingFollows }),
      ...problems(operation),
    },
  }
}

function describeCaller(operation: AnyOperation): string {
  if ('scope' in operation)
    return operation.scope === null ? 'Requires no scope.' : `Requires the scope \`${operation.scope}\`.`
  return operation.caller === 'person'
    ? 'Requires a signed-in user. API keys cannot call it.'
    : 'Requires neither a key nor a session.'
}

/** The example that stands with a body in the reference; a test sends every one of them. */
export function exampleOf(body: z.ZodType): unknown {
  const examples = z.globalRegistry.get(body)?.examples
  return Array.isArray(examples) ? examples[0] : undefined
}

/** A merge patch may have its own media type or plain JSON. */
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
      .describe('The same key and body return the first result again for 24 hours.')
  if (operation.isConditional)
    fields['If-Match'] = z
      .string()
      .optional()
      .describe('The ETag that was read. If the resource has changed since, the answer is 412.')
  if (operation.isResumable)
    fields['Last-Event-ID'] = z
      .string()
      .regex(/^\d{0,9}$/)
      .optional()
      .describe('The id of the last received event. Left out: all events.')
  if (operation.isEndless)
    fields['Last-Event-ID'] = z
      .string()
      .optional()
      .describe('The id of the last received event. Left out: only new changes.')
  return Object.keys(fields).length > 0 ? { header: z.object(fields) } : {}
}

const changedFieldNames = z
  .string()
  .optional()
  .describe(
    'In a dry run of a change: the names of the changed fields, separated by commas. Empty: no change.',
  )

function success(operation: AnyOperation): ZodOpenApiResponseObject {
  const besides = {
    ...(operation.hasETag && { ETag: z.string().describe('The version of the resource.') }),
    ...(operation.query === DryRunQuery && { [changedFieldsHeader]: changedFieldNames }),
  }
  const headers = Object.keys(besides).length > 0 ? answerHeaders.extend(besides) : answerHeaders
  const content = {
    ...(operation.answer && { 'application/json': jsonBody(operation.answer, operation.status) }),
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

const nothingFollows: ZodOpenApiResponseObject = {
  description: 'The turn has ended, and `Last-Event-ID` is its last event.',
  headers: answerHeaders,
}

function goesOn({ answer = z.unknown() }: AnyOperation): ZodOpenApiResponseObject {
  return {
    description: 'A tool call waits for approval. The turn continues after the decision.',
    headers: answerHeaders,
    content: { 'application/json': jsonBody(answer, 202) },
  }
}

function jsonBody(schema: z.ZodType, status: number) {
  const example = answerExampleOf(schema, status)
  return { schema, ...(example !== undefined && { example }) }
}

function textBody(operationId: string, mediaType: string) {
  const example = textExampleOf(operationId, mediaType)
  return { schema: z.string(), ...(example !== undefined && { example }) }
}

function problems(operation: AnyOperation): Record<string, ZodOpenApiResponseObject> {
  const codes = [...always, ...(operation.refusals ?? [])]
  if (operation.params) codes.push('NotFound')
  if (operation.body) codes.push('TooLarge', 'UnsupportedMediaType')
  if (operation.isConditional) codes.push('PreconditionFailed')
  if (operation.isIdempotent) codes.push('Conflict')
  const statuses = [...new Set(codes.map((code) => errorStatus[code]))].sort()
  return Object.fromEntries(
    statuses.map((status) => [String(status), problemResponses.get(status)]),
  ) as Record<string, ZodOpenApiResponseObject>
}
