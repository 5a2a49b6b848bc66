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
const params = z.strictObject({ mcpAuthorizationId: id().describe('The ID of the authorization.') })
const common = { tag, params } as const

/** The operations on authorizations for MCP servers that require OAuth. They require the scopes of connections. */
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
    response: McpAuthorizationPage,
  }),
  createMcpAuthorization: defineOperation({
    operationId: 'createMcpAuthorization',
    method: 'POST',
    path: '/api/v1/McpAuthorization',
    tag,
    summary: 'Create an MCP authorization',
    description:
      'Creates an authorization without requesting consent. After consent, the token is used for all MCP tools in the organization that have exactly this server URL and no `Authorization` header. If a URL has several authorizations, the newest working authorization is used.',
    scope: 'connection:write',
    body: McpAuthorizationInput,
    outcome: 'The created authorization.',
    status: 201,
    response: McpAuthorization,
    errors: ['Conflict'],
  }),
  getMcpAuthorization: defineOperation({
    ...common,
    operationId: 'getMcpAuthorization',
    method: 'GET',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}',
    summary: 'Retrieve an MCP authorization',
    scope: 'connection:read',
    outcome: 'The authorization, without its tokens.',
    status: 200,
    response: McpAuthorization,
  }),
  beginMcpAuthorizationConsent: defineOperation({
    ...common,
    operationId: 'beginMcpAuthorizationConsent',
    method: 'POST',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}/consent',
    summary: 'Request consent for an MCP authorization',
    description:
      'Discovers the authorization server from the metadata of the MCP server, registers the service as a client if `clientId` is `null`, and returns the authorization URL. Uses the authorization code flow with PKCE. Existing tokens remain valid until new tokens are issued.',
    scope: 'connection:write',
    body: McpConsentStart,
    outcome: 'The authorization URL, or a description of the failure.',
    status: 200,
    response: McpConsent,
  }),
  completeMcpAuthorizationConsent: defineOperation({
    ...common,
    operationId: 'completeMcpAuthorizationConsent',
    method: 'PUT',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}/consent',
    summary: 'Complete the consent for an MCP authorization',
    description:
      'Exchanges the authorization code of the redirect for tokens. Only the caller who requested consent can complete it, and only once. The ID of the authorization is the part of `state` before the dot.',
    scope: 'connection:write',
    body: McpConsentAnswer,
    outcome: 'The result of the consent request.',
    status: 200,
    response: McpConsentOutcome,
  }),
  deleteMcpAuthorization: defineOperation({
    ...common,
    operationId: 'deleteMcpAuthorization',
    method: 'DELETE',
    path: '/api/v1/McpAuthorization/{mcpAuthorizationId}',
    summary: 'Delete an MCP authorization',
    description: 'Also deletes its tokens, and revokes them if the authorization server supports it.',
    scope: 'connection:write',
    outcome: 'The authorization was deleted. The response has no body.',
    status: 204,
  }),
}
