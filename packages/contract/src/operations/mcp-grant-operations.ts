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

/** What an organization sees of the MCP clients that act in the names of its members. */
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
    description: 'Its tokens stop working at once.',
    scope: 'org:manage',
    params,
    outcome: 'The grant is gone; there is no body.',
    status: 204,
  }),
}

/** What people do about the MCP clients that act in their own names. */
export const ownMcpGrantOperations = {
  presentMcpRequest: definePersonOperation({
    ...me,
    operationId: 'presentMcpRequest',
    method: 'POST',
    path: '/api/v1/Me/mcp-request',
    summary: 'What an MCP client asks for',
    description: 'For the page that asks a person: who asks, and what for, as far as that can be checked.',
    body: McpAccessRequest,
    outcome: 'Who asks, and what for.',
    status: 200,
    answer: PresentedMcpRequest,
    refusals: ['CrossSiteRequest'],
  }),
  decideMcpRequest: definePersonOperation({
    ...me,
    operationId: 'decideMcpRequest',
    method: 'POST',
    path: '/api/v1/Me/mcp-grant',
    summary: 'Let an MCP client act in your name, or not',
    body: McpDecision,
    outcome: 'Where to send the browser, with a code that works once for a minute, or with the refusal.',
    status: 200,
    answer: McpRedirect,
    refusals: ['Conflict', 'CrossSiteRequest'],
  }),
  listMeMcpGrants: definePersonOperation({
    ...me,
    operationId: 'listMeMcpGrants',
    method: 'GET',
    path: '/api/v1/Me/mcp-grant',
    summary: 'Which MCP clients act in your name',
    query: McpGrantListQuery,
    outcome: 'One page of your grants, in all your organizations.',
    status: 200,
    answer: McpGrantPage,
  }),
  deleteMeMcpGrant: definePersonOperation({
    ...me,
    operationId: 'deleteMeMcpGrant',
    method: 'DELETE',
    path: '/api/v1/Me/mcp-grant/{mcpGrantId}',
    summary: 'Revoke a grant of yours',
    params,
    outcome: 'The tokens stopped working; there is no body.',
    status: 204,
    refusals: ['CrossSiteRequest'],
  }),
}
