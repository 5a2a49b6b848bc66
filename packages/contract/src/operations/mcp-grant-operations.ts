import { z } from 'zod'
import { id } from '../field.js'
import {
  McpAccessRequest,
  McpDecision,
  McpGrantListQuery,
  McpGrantPage,
  McpRedirect,
  PresentedMcpRequest,
} from '../mcp-grant.js'
import { defineOperation, definePersonOperation } from '../operation.js'

const params = z.strictObject({ mcpGrantId: id().describe('The ID of the grant.') })
const me = { tag: 'Me', caller: 'person' } as const

/** The operations on the MCP grants of the organization. */
export const mcpGrantOperations = {
  listMcpGrants: defineOperation({
    operationId: 'listMcpGrants',
    method: 'GET',
    path: '/api/v1/McpGrant',
    tag: 'McpGrant',
    summary: 'List the MCP grants of members',
    scope: 'org:manage',
    query: McpGrantListQuery,
    outcome: 'One page of the grants, without their tokens.',
    status: 200,
    response: McpGrantPage,
  }),
  deleteMcpGrant: defineOperation({
    operationId: 'deleteMcpGrant',
    method: 'DELETE',
    path: '/api/v1/McpGrant/{mcpGrantId}',
    tag: 'McpGrant',
    summary: 'Revoke an MCP grant',
    description: 'The tokens of the MCP client stop working immediately.',
    scope: 'org:manage',
    params,
    outcome: 'The grant was revoked. The response has no body.',
    status: 204,
  }),
}

/** The operations on the MCP grants of the signed-in user. */
export const ownMcpGrantOperations = {
  presentMcpRequest: definePersonOperation({
    ...me,
    operationId: 'presentMcpRequest',
    method: 'POST',
    path: '/api/v1/Me/mcp-request',
    summary: 'Preview an MCP authorization request',
    description:
      'Validates the authorization request, and returns the details that the consent page displays.',
    body: McpAccessRequest,
    outcome: 'The client and the requested scopes.',
    status: 200,
    response: PresentedMcpRequest,
    errors: ['CrossSiteRequest'],
  }),
  decideMcpRequest: definePersonOperation({
    ...me,
    operationId: 'decideMcpRequest',
    method: 'POST',
    path: '/api/v1/Me/mcp-grant',
    summary: 'Allow or deny an MCP client',
    body: McpDecision,
    outcome:
      'The URL to open in the browser. It contains an authorization code that can be used once within one minute, or an error if access was denied.',
    status: 200,
    response: McpRedirect,
    errors: ['Conflict', 'CrossSiteRequest'],
  }),
  listMeMcpGrants: definePersonOperation({
    ...me,
    operationId: 'listMeMcpGrants',
    method: 'GET',
    path: '/api/v1/Me/mcp-grant',
    summary: 'List your MCP grants',
    query: McpGrantListQuery,
    outcome: 'One page of your grants in all of your organizations.',
    status: 200,
    response: McpGrantPage,
  }),
  deleteMeMcpGrant: definePersonOperation({
    ...me,
    operationId: 'deleteMeMcpGrant',
    method: 'DELETE',
    path: '/api/v1/Me/mcp-grant/{mcpGrantId}',
    summary: 'Revoke one of your MCP grants',
    params,
    outcome: 'The grant was revoked. The response has no body.',
    status: 204,
    errors: ['CrossSiteRequest'],
  }),
}
