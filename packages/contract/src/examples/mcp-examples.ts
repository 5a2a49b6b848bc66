import type { z } from 'zod'
import type { McpAuthorization, McpConsent, McpConsentOutcome } from '../mcp-authorization.js'
import type { McpGrant, McpRedirect, PresentedMcpRequest } from '../mcp-grant.js'
import { ids, times } from './hotel.js'

export const mcpAuthorization: McpAuthorization = {
  id: ids.mcpAuthorization,
  ...times('2026-11-02T09:20:00.000Z', '2026-11-02T09:21:04.310Z'),
  serverUrl: 'https://mcp.example.com/mcp',
  clientId: 'parley-at-the-seaview',
  scope: 'bookings:read bookings:write',
  hasClientSecret: false,
  state: 'authorized',
  issuer: 'https://accounts.example.com',
  expiresAt: '2026-11-02T10:21:04.310Z',
  authorizedBy: { type: 'person', id: ids.person, name: 'Kim Berg' },
  failure: null,
}

export const mcpConsent: McpConsent = {
  authorizationUrl:
    'https://accounts.example.com/authorize?response_type=code&client_id=parley-at-the-seaview',
  detail: 'Open this URL in a browser and consent within ten minutes.',
}

export const mcpConsentOutcome: McpConsentOutcome = {
  isAuthorized: true,
  detail: 'Agents can use https://mcp.example.com/mcp now.',
}

export const mcpGrant: McpGrant = {
  id: ids.mcpGrant,
  createdAt: '2026-11-12T16:40:00.000Z',
  clientName: 'Claude',
  redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  organizationId: ids.organization,
  organizationName: 'Hotel Seaview',
  personId: ids.person,
  personName: 'Kim Berg',
  scopes: ['agent:read', 'question:ask'],
  lastUsedAt: '2026-11-15T09:12:00.000Z',
  expiresAt: '2026-12-15T09:12:00.000Z',
}

export const presentedMcpRequest: PresentedMcpRequest = {
  clientName: 'Claude',
  redirectHost: 'claude.ai',
  scopes: ['agent:read', 'question:ask'],
}

export const mcpRedirect: z.output<typeof McpRedirect> = {
  redirectUrl: 'https://claude.ai/api/mcp/auth_callback?code=once&state=theirs',
}
