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

/** Authorizations for MCP servers that require OAuth. They need the scopes of connections. */
export const mcpAuthorizationOperations = {
  listMcpAuthorizations: defineOperation({
    operationId: 'listMcpAuthorizations',
    method: 'GET',
    path: '/api/v1/McpAuthorization',
    tag,
    summary: 'List MCP authorizations',
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
    summary: 'Create an MCP authorization',
    description:
      'Does not ask for consent yet. After consent, every agent of the organization whose MCP tool has exactly this address, and no `Authorization` header of its own, uses the token. If an address has several authorizations, the newest working one is used.',
    scope: 'connection:write',
    body: McpAuthorizationInput,
    outcome: 'The authorization, without consent.',
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
    summary: 'Request consent',
    description:
      'Discovers the issuer (protected resource and authorization server metadata), registers the service if there is no `clientId`, and returns the address for the browser (authorization code with PKCE). Existing tokens keep working until there are new ones.',
    scope: 'connection:write',
    body: McpConsentStart,
    outcome: 'The address for the browser, or what failed.',
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
      'Sends the parameters of the redirect. Works once, for the caller who requested consent. The id is the part of `state` before the dot.',
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
    summary: 'Delete an MCP authorization',
    description: 'Deletes its tokens, and revokes them if the issuer supports it.',
    scope: 'connection:write',
    outcome: 'The authorization is deleted. The answer has no body.',
    status: 204,
  }),
}
