import { z } from 'zod'
import { id } from '../field.js'
import {
  McpAuthorization,
  McpAuthorizationInput,
  McpAuthorizationListQuery,
  McpAuthorizationPage,
  McpConsent,
  McpConsentAnswer,
  McpConsentOutcome,
  McpConsentStart,
} from '../mcp-authorization.js'
import { defineOperation } from '../operation.js'

const tag = 'McpAuthorization'
const params = z.strictObject({ mcpAuthorizationId: id().describe('The id of the authorization.') })
const one = { tag, params } as const

/** The right to use MCP servers that ask for OAuth: whoever may write connections gets and gives it up. */
export const mcpAuthorizationOperations = {
  listMcpAuthorizations: defineOperation({
    operationId: 'listMcpAuthorizations',
    method: 'GET',
    path: '/api/v1/McpAuthorization',
    tag,
    summary: 'List authorizations of MCP servers',
    scope: 'connection:read',
    query: McpAuthorizationListQuery,
    outcome: 'One page of the authorizations, without their tokens.',
    status: 200,
    answer: McpAuthorizationPage,
  }),
  createMcpAuthorization: defineOperation({
    operationId: 'createMcpAuthorization',
    method: 'POST',
    path: '/api/v1/McpAuthorization',
    tag,
    summary: 'Name an MCP server that asks for OAuth',
    description:
      'Nobody is asked yet. Once somebody has consented, every agent of the organization whose MCP tool names exactly this address, and no `Authorization` header of its own, calls with the token. Of several for one address the newest counts that works.',
    scope: 'connection:write',
    body: McpAuthorizationInput,
    outcome: 'The authorization, to which nobody has consented yet.',
    status: 201,
    answer: McpAuthorization,
    refusals: ['Conflict'],
  }),
  getMcpAuthorization: defineOperation({
    ...one,
    operationId: 'getMcpAuthorization',
    method: 'GET',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}',
    summary: 'Read an authorization',
    scope: 'connection:read',
    outcome: 'The authorization, without its tokens.',
    status: 200,
    answer: McpAuthorization,
  }),
  beginMcpAuthorizationConsent: defineOperation({
    ...one,
    operationId: 'beginMcpAuthorizationConsent',
    method: 'POST',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}/consent',
    summary: 'Ask somebody to consent',
    description:
      'Finds the issuer (protected resource and authorization server metadata), registers the service there where no `clientId` was given, and answers where to send the browser (code with PKCE). Tokens of before go on working until there are new ones.',
    scope: 'connection:write',
    body: McpConsentStart,
    outcome: 'Where to send the browser, or what stood in the way.',
    status: 200,
    answer: McpConsent,
  }),
  completeMcpAuthorizationConsent: defineOperation({
    ...one,
    operationId: 'completeMcpAuthorizationConsent',
    method: 'PUT',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}/consent',
    summary: 'Complete a consent',
    description:
      'With what the browser came back with, once, by the caller who began it. The id stands before the dot in `state`.',
    scope: 'connection:write',
    body: McpConsentAnswer,
    outcome: 'Whether agents can use the server now.',
    status: 200,
    answer: McpConsentOutcome,
  }),
  deleteMcpAuthorization: defineOperation({
    ...one,
    operationId: 'deleteMcpAuthorization',
    method: 'DELETE',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}',
    summary: 'Give up an authorization',
    description: 'Its tokens are forgotten, and taken back at the issuer where it offers that.',
    scope: 'connection:write',
    outcome: 'The authorization is gone; there is no body.',
    status: 204,
  }),
}
