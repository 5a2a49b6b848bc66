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
  400: 'The request is not valid; `errors` names the fields.',
  401: 'The key is missing, unknown, expired or deleted; or nobody is signed in.',
  403: 'The key or session is valid, but not for this organization or this call.',
  404: 'There is no such resource in this organization.',
  405: 'The path takes other methods; `Allow` lists them.',
  409: 'The request contradicts the present state.',
  412: 'The resource has changed since it was read.',
  413: 'The body is larger than allowed.',
  415: 'The body is of a media type that is not taken here.',
  426: 'The path speaks WebSocket.',
  429: 'Too many requests; `Retry-After` says when to come back.',
  500: 'The service failed; the request id leads to the cause in its log.',
  503: 'The service or a model provider cannot answer now; try again.',
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
  'RateLimit-Limit': z
    .string()
    .describe('Requests allowed in a minute; 600, unless the deployment says otherwise.'),
  'RateLimit-Remaining': z.string().describe('Requests left in this minute.'),
  'RateLimit-Reset': z.string().describe('Seconds until the minute is over.'),
})

/** Made once: the document refers to one component for each status. */
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

/** The OpenAPI 3.1 document of the whole API. */
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
          description: 'The session of a person who has signed in; `parley` where the service has no https.',
        },
      },
    },
  })
}

const introduction = `The inbound API of Parley: a customer's backend manages agents, connections, tasks and keys with it.

Every request carries \`X-Api-Key\` and \`X-Org-Id\`; a person who has signed in sends the session's cookie instead of a key,
and, with every method but GET, the service's own \`Origin\` and a JSON body. Lists take \`Offset\` and \`Limit\`. Errors are \`application/problem+json\`
with a stable \`errorCode\`. Within v1 fields and calls are only added; what goes away is marked deprecated at least six
months before, and answers then carry \`Deprecation\` and \`Sunset\` headers.`

const tags = [
  ['Agent', 'Agents: instructions, a model and tools.'],
  ['AgentRevision', 'What agents were, change by change.'],
  ['Connection', 'Model providers and how to reach them.'],
  ['McpAuthorization', 'MCP servers that ask for OAuth, and who has consented.'],
  ['Question', 'Asking agents in text.'],
  ['Task', 'Work for people and agents.'],
  ['RealtimeSession', describeSocket()],
  ['Conversation', 'What was said, spoken or typed.'],
  ['Approval', 'Tool calls that wait for a person.'],
  ['TemporaryFile', 'Files that questions are given as context, for a while.'],
  ['ApiKey', 'Keys of the organization.'],
  ['Member', 'People who belong to the organization, and what they may do.'],
  ['Me', 'Signing in, and what people do for themselves.'],
  ['McpGrant', 'MCP clients that act in the names of members.'],
  ['Invitation', 'Links by which people come in.'],
  ['Webhook', 'Addresses that are told what happens, and what was sent to them.'],
  ['Usage', 'What models were used for, and what it cost.'],
  ['Price', 'What models cost.'],
  ['Budget', 'How much may be used in a day or a month.'],
  ['AuditLog', 'Who did what, in a chain that shows tampering.'],
  ['Event', 'What changes in the organization, as it happens.'],
] as const

/** Any call of the API, whoever may make it. */
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
        201: { ...success(operation), description: 'The same, where it was created.' },
      }),
      ...(operation.mayGoOn && { 202: goesOn(operation) }),
      ...(operation.isResumable && { 204: nothingFollows }),
      ...problems(operation),
    },
  }
}

function describeCaller(operation: AnyOperation): string {
  if ('scope' in operation)
    return operation.scope === null ? 'Needs no scope.' : `Needs the scope \`${operation.scope}\`.`
  return operation.caller === 'person'
    ? 'Needs a person who has signed in; a key cannot call it.'
    : 'Needs neither a key nor a session.'
}

/** The example that stands with a body in the reference; a test sends every one of them. */
export function exampleOf(body: z.ZodType): unknown {
  const examples = z.globalRegistry.get(body)?.examples
  return Array.isArray(examples) ? examples[0] : undefined
}

/** A merge patch may be sent under its own media type or as plain JSON. */
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
      .describe('The same key and body within 24 hours answer the first result again.')
  if (operation.isConditional)
    fields['If-Match'] = z
      .string()
      .optional()
      .describe('The ETag that was read; a newer version is answered with 412.')
  if (operation.isResumable)
    fields['Last-Event-ID'] = z
      .string()
      .regex(/^\d{0,9}$/)
      .optional()
      .describe('The id of the last event that was received; left out, the events come from the first one.')
  if (operation.isEndless)
    fields['Last-Event-ID'] = z
      .string()
      .optional()
      .describe('The id of the last event that was received; left out, what changes from now on is told.')
  return Object.keys(fields).length > 0 ? { header: z.object(fields) } : {}
}

const changedFieldNames = z
  .string()
  .optional()
  .describe(
    'In a dry run of a change: the names of the fields that would change, with commas between; empty where none would.',
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
  description: 'The turn has ended, and `Last-Event-ID` names its last event: nothing follows.',
  headers: answerHeaders,
}

function goesOn({ answer = z.unknown() }: AnyOperation): ZodOpenApiResponseObject {
  return {
    description: 'A person must approve something first; the work goes on when it is decided.',
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
