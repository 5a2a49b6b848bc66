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

const params = z.strictObject({ mcpGrantId: id().describe('The id of the grant.') })
const me = { tag: 'Me', caller: 'person' } as const

/** MCP grants of the organization. */
export const mcpGrantOperations = {
  listMcpGrants: defineOperation({
    operationId: 'listMcpGrants',
    method: 'GET',
    path: '/api/v1/McpGrant',
    tag: 'McpGrant',
    summary: 'List MCP clients of members',
    scope: 'org:manage',
    query: McpGrantListQuery,
    outcome: 'One page of the grants, without their tokens.',
    status: 200,
    answer: McpGrantPage,
  }),
  deleteMcpGrant: defineOperation({
    operationId: 'deleteMcpGrant',
    method: 'DELETE',
    path: '/api/v1/McpGrant/{mcpGrantId}',
    tag: 'McpGrant',
    summary: 'Revoke a grant',
    description: 'Its tokens stop working immediately.',
    scope: 'org:manage',
    params,
    outcome: 'The grant is revoked. The answer has no body.',
    status: 204,
  }),
}

/** MCP grants of the signed-in person. */
export const ownMcpGrantOperations = {
  presentMcpRequest: definePersonOperation({
    ...me,
    operationId: 'presentMcpRequest',
    method: 'POST',
    path: '/api/v1/Me/mcp-request',
    summary: 'Read an authorization request',
    description: 'For the consent page: the client and the requested scopes, checked as far as possible.',
    body: McpAccessRequest,
    outcome: 'The client and the requested scopes.',
    status: 200,
    answer: PresentedMcpRequest,
    refusals: ['CrossSiteRequest'],
  }),
  decideMcpRequest: definePersonOperation({
    ...me,
    operationId: 'decideMcpRequest',
    method: 'POST',
    path: '/api/v1/Me/mcp-grant',
    summary: 'Allow or deny an MCP client',
    body: McpDecision,
    outcome: 'The address for the browser, with a code that works once within a minute, or with the refusal.',
    status: 200,
    answer: McpRedirect,
    refusals: ['Conflict', 'CrossSiteRequest'],
  }),
  listMeMcpGrants: definePersonOperation({
    ...me,
    operationId: 'listMeMcpGrants',
    method: 'GET',
    path: '/api/v1/Me/mcp-grant',
    summary: 'List your MCP clients',
    query: McpGrantListQuery,
    outcome: 'One page of your grants, of all your organizations.',
    status: 200,
    answer: McpGrantPage,
  }),
  deleteMeMcpGrant: definePersonOperation({
    ...me,
    operationId: 'deleteMeMcpGrant',
    method: 'DELETE',
    path: '/api/v1/Me/mcp-grant/{mcpGrantId}',
    summary: 'Revoke one of your grants',
    params,
    outcome: 'The grant is revoked. The answer has no body.',
    status: 204,
    refusals: ['CrossSiteRequest'],
  }),
}
