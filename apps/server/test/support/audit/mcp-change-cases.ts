import { expect } from 'vitest'
import { addGrantedClient } from '../mcp/granted-client.js'
import type { ChangeCase } from './change-cases.js'

const authorizations = '/api/v1/McpAuthorization'
const serverUrl = 'https://mcp.example.com/mcp'

export const mcpChanges = {
  'authorizing an MCP server': {
    method: 'POST',
    path: () => authorizations,
    body: { serverUrl },
    action: 'mcp_authorization.create',
    resourceType: 'McpAuthorization',
    details: { serverUrl },
  },
  'deleting the authorization of an MCP server': {
    prepare: [authorizations, { serverUrl }],
    method: 'DELETE',
    path: (id) => `${authorizations}/${id}`,
    action: 'mcp_authorization.delete',
    resourceType: 'McpAuthorization',
    details: { serverUrl },
  },
  'revoking a grant': {
    arrange: (running) => addGrantedClient(running, running.organizationId),
    method: 'DELETE',
    path: (id) => `/api/v1/McpGrant/${id}`,
    action: 'mcp_grant.delete',
    resourceType: 'McpGrant',
    details: { client: 'Test', personId: expect.any(String) },
  },
} satisfies Readonly<Record<string, Omit<ChangeCase, 'change'>>>
