import { z } from 'zod'
import { answeredMoment, id, nonBlankText, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'
import type { ScopeName } from './scope-list.js'

/** The scopes that MCP clients can have: those of the tools of `/mcp`, without deciding on calls. */
export const mcpScopes: readonly ScopeName[] = [
  'agent:read',
  'question:ask',
  'conversation:read',
  'task:write',
]

export const McpGrant = z
  .object({
    id: id().describe('The grant (UUID v7).'),
    createdAt: answeredMoment().describe('When the person consented (UTC).'),
    clientName: z.string().describe('The name that the client gave itself. It is not verified.'),
    redirectUri: z.string().describe('The address that received the authorization code.'),
    organizationId: id().describe('The organization that the client can access.'),
    organizationName: z.string().describe('The name of the organization.'),
    personId: id().describe('The person on whose behalf the client acts.'),
    personName: z.string().describe('The name of the person.'),
    scopes: z.array(Scope).describe("The scopes of the client. It never exceeds the person's role."),
    lastUsedAt: answeredMoment().nullable().describe('When it was last used, to the minute.'),
    expiresAt: answeredMoment().describe('When the grant expires, unless the client renews its tokens.'),
  })
  .meta({ id: 'McpGrant', description: 'An MCP client that acts on behalf of a person.' })

export const McpGrantPage = pageOf(McpGrant, 'McpGrant')

export const McpGrantListQuery = z.strictObject(pageQuery)

const requestFields = {
  clientId: nonBlankText(4000).describe('The registered client.'),
  redirectUri: nonBlankText(2000).describe('The redirect address.'),
  codeChallenge: nonBlankText(200).describe('The PKCE challenge (S256).'),
  scope: text(2000)
    .nullable()
    .default(null)
    .describe('The scopes that the client requests, separated by spaces.'),
  resource: text(2000).nullable().default(null).describe('The resource of the token: the address of `/mcp`.'),
  state: text(4000).nullable().default(null).describe("The client's state."),
}

const example = {
  clientId: 'as-it-was-registered',
  redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  codeChallenge: 'the-challenge-of-the-client',
  scope: 'agent:read question:ask',
}

export const McpAccessRequest = z.strictObject(requestFields).meta({
  id: 'McpAccessRequest',
  description: 'The authorization request of an MCP client, as in the address.',
  examples: [example],
})

export const PresentedMcpRequest = z
  .object({
    clientName: z.string().describe('The name that the client gave itself. It is not verified.'),
    redirectHost: z.string().describe('The redirect address, for the person to check.'),
    scopes: z.array(Scope).describe('The scopes that the client would get.'),
  })
  .meta({ id: 'PresentedMcpRequest', description: 'What a person is asked to consent to.' })

export const McpDecision = z
  .strictObject({
    request: McpAccessRequest.describe('The authorization request.'),
    organizationId: id().describe('The organization that the client can access.'),
    decision: z.enum(['allow', 'deny']).describe('Whether the client may act on behalf of the person.'),
  })
  .meta({
    id: 'McpDecision',
    description: "A person's decision on an authorization request.",
    examples: [
      { request: example, organizationId: '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e', decision: 'allow' },
    ],
  })

export const McpRedirect = z
  .object({ redirectUrl: z.string().describe('The address for the browser: back to the client.') })
  .meta({ id: 'McpRedirect', description: 'The redirect back to an MCP client.' })

export type McpGrant = z.output<typeof McpGrant>
export type McpGrantListQuery = z.output<typeof McpGrantListQuery>
export type McpAccessRequest = z.output<typeof McpAccessRequest>
export type PresentedMcpRequest = z.output<typeof PresentedMcpRequest>
export type McpDecision = z.output<typeof McpDecision>
