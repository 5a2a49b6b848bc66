import { z } from 'zod'
import { answeredMoment, id, nonBlankText, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { Scope } from './scope.js'
import type { ScopeName } from './scope-list.js'

/** What MCP clients can be allowed to do: what the tools of `/mcp` need, deciding on calls left out. */
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
    clientName: z.string().describe('What the client calls itself. Nobody has checked it.'),
    redirectUri: z.string().describe('Where the client was sent its code.'),
    organizationId: id().describe('The organization that the client may act in.'),
    organizationName: z.string().describe('What the organization is called.'),
    personId: id().describe('The person in whose name it acts.'),
    personName: z.string().describe('The name of the person.'),
    scopes: z
      .array(Scope)
      .describe('What it may do at most; what the role of the person does not cover, it may not.'),
    lastUsedAt: answeredMoment().nullable().describe('When it was last used, to the minute.'),
    expiresAt: answeredMoment().describe('When it ends, unless the client renews its tokens before.'),
  })
  .meta({ id: 'McpGrant', description: 'An MCP client that may act in the name of a person.' })

export const McpGrantPage = pageOf(McpGrant, 'McpGrant')

export const McpGrantListQuery = z.strictObject(pageQuery)

const requestFields = {
  clientId: nonBlankText(4000).describe('The client, as it was registered.'),
  redirectUri: nonBlankText(2000).describe('Where the browser is to be sent.'),
  codeChallenge: nonBlankText(200).describe('The PKCE challenge (S256).'),
  scope: text(2000).nullable().default(null).describe('What the client asks for, separated by spaces.'),
  resource: text(2000).nullable().default(null).describe('What the token is for: the address of `/mcp`.'),
  state: text(4000).nullable().default(null).describe('What the client wants back.'),
}

const example = {
  clientId: 'as-it-was-registered',
  redirectUri: 'https://claude.ai/api/mcp/auth_callback',
  codeChallenge: 'the-challenge-of-the-client',
  scope: 'agent:read question:ask',
}

export const McpAccessRequest = z.strictObject(requestFields).meta({
  id: 'McpAccessRequest',
  description: 'What an MCP client asks for, as it stands in the address.',
  examples: [example],
})

export const PresentedMcpRequest = z
  .object({
    clientName: z.string().describe('What the client calls itself. Nobody has checked it.'),
    redirectHost: z.string().describe('Where the browser is sent, for the person to recognise.'),
    scopes: z.array(Scope).describe('What the client would be allowed to do.'),
  })
  .meta({ id: 'PresentedMcpRequest', description: 'What a person is asked to consent to.' })

export const McpDecision = z
  .strictObject({
    request: McpAccessRequest.describe('What was asked for.'),
    organizationId: id().describe('The organization that the client may act in.'),
    decision: z.enum(['allow', 'deny']).describe('Whether the client may act in the name of the person.'),
  })
  .meta({
    id: 'McpDecision',
    description: "A person's decision on what an MCP client asks for.",
    examples: [
      { request: example, organizationId: '01a1de5c-bd02-7c30-8fd5-792c5d3c8d1e', decision: 'allow' },
    ],
  })

export const McpRedirect = z
  .object({ redirectUrl: z.string().describe('Where to send the browser: back to the client.') })
  .meta({ id: 'McpRedirect', description: 'The way back to an MCP client.' })

export type McpGrant = z.output<typeof McpGrant>
export type McpGrantListQuery = z.output<typeof McpGrantListQuery>
export type McpAccessRequest = z.output<typeof McpAccessRequest>
export type PresentedMcpRequest = z.output<typeof PresentedMcpRequest>
export type McpDecision = z.output<typeof McpDecision>
