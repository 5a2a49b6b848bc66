import { z } from 'zod'
import { id, nonBlankText, text, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'
import type { ScopeName } from './scope-list.js'

/** The scopes that MCP clients can have. They cover the tools of `/mcp`, except for deciding on approvals. */
export const mcpScopes: readonly ScopeName[] = [
  'agent:read',
  'question:ask',
  'conversation:read',
  'task:write',
]

export const McpGrant = z
  .object({
    id: id().describe('The ID of the grant (UUID v7).'),
    createdAt: timestamp().describe('When the user gave consent (UTC).'),
    clientName: z
      .string()
      .describe('The name of the client. It was chosen by the client and is not verified.'),
    redirectUri: z.string().describe('The redirect URI that received the authorization code.'),
    organizationId: id().describe('The ID of the organization that the client can access.'),
    organizationName: z.string().describe('The name of the organization.'),
    personId: id().describe('The ID of the user on whose behalf the client acts.'),
    personName: z.string().describe('The name of the user.'),
    scopes: z.array(Scope).describe('The scopes of the client. They never exceed the role of the user.'),
    lastUsedAt: timestamp()
      .nullable()
      .describe('When the grant was last used (UTC), to the minute. `null` if it has never been used.'),
    expiresAt: timestamp().describe('When the grant expires (UTC). Refreshing the tokens extends it.'),
  })
  .meta({ id: 'McpGrant', description: 'The permission of an MCP client to act on behalf of a user.' })

export const McpGrantPage = pageOf(McpGrant, 'McpGrant')

export const McpGrantListQuery = z.strictObject(pageQuery)

const requestFields = {
  clientId: nonBlankText(4000).describe('The client ID from the client registration.'),
  redirectUri: nonBlankText(2000).describe('The redirect URI of the client.'),
  codeChallenge: nonBlankText(200).describe('The PKCE code challenge (S256).'),
  scope: text(2000).nullable().default(null).describe('The requested scopes, separated by spaces.'),
  resource: text(2000)
    .nullable()
    .default(null)
    .describe('The resource for which the token is requested: the URL of `/mcp`.'),
  state: text(4000)
    .nullable()
    .default(null)
    .describe('The `state` parameter of the client. It is returned unchanged with the redirect.'),
}

const example = {
  clientId: '<client ID>',
  redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  codeChallenge: '<PKCE code challenge>',
  scope: 'agent:read question:ask',
}

export const McpAccessRequest = z.strictObject(requestFields).meta({
  id: 'McpAccessRequest',
  description: 'The authorization request of an MCP client, with the parameters of its authorization URL.',
  examples: [example],
})

export const PresentedMcpRequest = z
  .object({
    clientName: z
      .string()
      .describe('The name of the client. It was chosen by the client and is not verified.'),
    redirectHost: z.string().describe('The host of the redirect URI, for display on the consent page.'),
    scopes: z.array(Scope).describe('The scopes that the client requests.'),
  })
  .meta({
    id: 'PresentedMcpRequest',
    description: 'The details of an MCP authorization request, as displayed on the consent page.',
  })

export const McpDecision = z
  .strictObject({
    request: McpAccessRequest.describe('The authorization request to decide on.'),
    organizationId: id().describe('The ID of the organization that the client can access.'),
    decision: z
      .enum(['allow', 'deny'])
      .describe('Whether the client is allowed to act on behalf of the user.'),
  })
  .meta({
    id: 'McpDecision',
    description: 'The decision of a user on an authorization request.',
    examples: [
      { request: example, organizationId: '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e', decision: 'allow' },
    ],
  })

export const McpRedirect = z
  .object({
    redirectUrl: z.string().describe('The URL to open in the browser, which leads back to the client.'),
  })
  .meta({ id: 'McpRedirect', description: 'The redirect back to an MCP client.' })

export type McpGrant = z.output<typeof McpGrant>
export type McpGrantListQuery = z.output<typeof McpGrantListQuery>
export type McpAccessRequest = z.output<typeof McpAccessRequest>
export type PresentedMcpRequest = z.output<typeof PresentedMcpRequest>
export type McpDecision = z.output<typeof McpDecision>
