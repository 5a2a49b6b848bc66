import { z } from 'zod'
import { actor } from './actor.js'
import { httpUrl, nonBlankText, resourceFields, text, timestamp } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { writable } from './writable.js'

/** The path to which authorization servers redirect the browser after consent. */
export const mcpConsentPath = '/mcp/consent'

const stateFields = {
  state: z
    .enum(['new', 'authorized', 'expired'])
    .describe(
      'The state of the authorization. `new`: consent has not been given yet. `authorized`: agents can use the server. `expired`: consent must be given again.',
    ),
  issuer: z
    .string()
    .nullable()
    .describe('The authorization server that issues the tokens. `null` if it has not been discovered yet.'),
  expiresAt: timestamp()
    .nullable()
    .describe(
      'When the access token expires (UTC). If possible, the service refreshes the token before it expires.',
    ),
  authorizedBy: actor()
    .nullable()
    .describe('The user who gave consent. `null` if consent has not been given yet.'),
  failure: z.string().nullable().describe('Why the authorization does not work. `null` if it works.'),
}

const plainFields = {
  serverUrl: httpUrl()
    .refine((value) => !value.includes('#'), { error: 'must not contain a fragment' })
    .describe('The URL of the MCP server. It must match the server URL in the tools of your agents exactly.'),
  clientId: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe(
      'The client ID at the authorization server. If `null`, the service registers itself as a client.',
    ),
  scope: text(2000)
    .nullable()
    .default(null)
    .describe(
      'The scopes to request, separated by spaces. If `null`, the service requests the scopes that the MCP server advertises.',
    ),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields), 'hasClientSecret']

export const McpAuthorization = z
  .object({
    ...resourceFields,
    ...plainFields,
    hasClientSecret: z
      .boolean()
      .describe('Whether a client secret is stored. The secret itself is never returned.'),
    ...stateFields,
  })
  .meta({
    id: 'McpAuthorization',
    description: 'An authorization to use an MCP server that requires OAuth. Its tokens are never returned.',
  })

export const McpAuthorizationInput = writable(
  {
    ...plainFields,
    clientSecret: nonBlankText(2000)
      .nullable()
      .default(null)
      .describe('The client secret, if the authorization server issued one. Write-only.'),
  },
  readOnlyFields,
).meta({
  id: 'McpAuthorizationInput',
  description: 'The parameters for creating an authorization for an MCP server.',
  examples: [{ serverUrl: 'https://mcp.example.com/mcp' }],
})

export const McpAuthorizationPage = pageOf(McpAuthorization, 'McpAuthorization')

export const McpAuthorizationListQuery = z.strictObject(pageQuery)

export const McpConsentStart = z
  .strictObject({
    redirectUri: httpUrl()
      .refine((value) => /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d+(?:\/[\w./-]*)?$/.test(value), {
        error: 'must be an http URL with a loopback host and a port',
      })
      .nullable()
      .default(null)
      .describe(
        'The redirect URI of a local program that receives the authorization code, for example `http://127.0.0.1:8976/callback`. If `null`, the authorization server redirects to the service.',
      ),
  })
  .meta({ id: 'McpConsentStart', description: 'The parameters for requesting consent.', examples: [{}] })

export const McpConsent = z
  .object({
    authorizationUrl: z
      .string()
      .nullable()
      .describe(
        'The URL to open in the browser. `null` if the MCP server or its authorization server failed.',
      ),
    detail: z.string().describe('A description of the next step, or of the failure.'),
  })
  .meta({ id: 'McpConsent', description: 'A pending consent request. It expires after ten minutes.' })

export const McpConsentAnswer = z
  .strictObject({
    state: nonBlankText(500).describe('The `state` parameter of the redirect.'),
    code: nonBlankText(4000).describe('The `code` parameter of the redirect.'),
    issuer: text(2000)
      .nullable()
      .default(null)
      .describe('The `iss` parameter of the redirect. `null` if the redirect has none.'),
  })
  .meta({
    id: 'McpConsentAnswer',
    description: 'The parameters of the redirect from the authorization server.',
    examples: [{ state: '<state of the redirect>', code: '<code of the redirect>' }],
  })

export const McpConsentOutcome = z
  .object({
    isAuthorized: z.boolean().describe('Whether agents can now use the server.'),
    detail: z.string().describe('A description of the result.'),
  })
  .meta({ id: 'McpConsentOutcome', description: 'The result of a consent request.' })

export type McpAuthorization = z.output<typeof McpAuthorization>
export type McpAuthorizationInput = z.output<typeof McpAuthorizationInput>
export type McpAuthorizationListQuery = z.output<typeof McpAuthorizationListQuery>
export type McpConsent = z.output<typeof McpConsent>
export type McpConsentStart = z.output<typeof McpConsentStart>
export type McpConsentAnswer = z.output<typeof McpConsentAnswer>
export type McpConsentOutcome = z.output<typeof McpConsentOutcome>
