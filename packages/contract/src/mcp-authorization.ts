import { z } from 'zod'
import { actor } from './actor.js'
import { answeredMoment, httpUrl, nonBlankText, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { writable } from './writable.js'

/** The path that issuers redirect browsers to after consent. */
export const mcpConsentPath = '/mcp/consent'

const stateFields = {
  state: z
    .enum(['new', 'authorized', 'expired'])
    .describe('`new`: consent is missing. `expired`: consent is needed again.'),
  issuer: z.string().nullable().describe('The issuer of the tokens.'),
  expiresAt: answeredMoment()
    .nullable()
    .describe('When the access token expires. The service renews it before, if possible.'),
  authorizedBy: actor().nullable().describe('The person who consented. Null: consent is missing.'),
  failure: z.string().nullable().describe('Why the authorization does not work. Null: it works.'),
}

const plainFields = {
  serverUrl: httpUrl()
    .refine((value) => !value.includes('#'), { error: 'must not contain a fragment' })
    .describe('The address of the MCP server, exactly as agents name it.'),
  clientId: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe('The client id at the issuer. Null: the service registers itself.'),
  scope: text(2000)
    .nullable()
    .default(null)
    .describe('The scopes to request, separated by spaces. Null: those that the server asks for.'),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields), 'hasClientSecret']

export const McpAuthorization = z
  .object({
    ...resourceFields,
    ...plainFields,
    hasClientSecret: z.boolean().describe('Whether a client secret is stored. It is never shown.'),
    ...stateFields,
  })
  .meta({
    id: 'McpAuthorization',
    description: 'The authorization to use an MCP server that requires OAuth, without its tokens.',
  })

export const McpAuthorizationInput = writable(
  {
    ...plainFields,
    clientSecret: nonBlankText(2000)
      .nullable()
      .default(null)
      .describe('The client secret at the issuer, if it issued one. Write-only.'),
  },
  readOnlyFields,
).meta({
  id: 'McpAuthorizationInput',
  description: 'The body that creates an authorization for an MCP server.',
  examples: [{ serverUrl: 'https://mcp.example.com/mcp' }],
})

export const McpAuthorizationPage = pageOf(McpAuthorization, 'McpAuthorization')

export const McpAuthorizationListQuery = z.strictObject(pageQuery)

export const McpConsentStart = z
  .strictObject({
    redirectUri: httpUrl()
      .refine((value) => /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost):\d+(?:\/[\w./-]*)?$/.test(value), {
        error: 'must be an http address with a port on this machine',
      })
      .nullable()
      .default(null)
      .describe(
        'The redirect address of a program on the same machine that waits for the code. Null: the service receives the code itself.',
      ),
  })
  .meta({ id: 'McpConsentStart', description: 'How to ask for consent.', examples: [{}] })

export const McpConsent = z
  .object({
    authorizationUrl: z
      .string()
      .nullable()
      .describe('The address for the browser. Null: the server or its issuer failed.'),
    detail: z.string().describe('What to do next, or what failed.'),
  })
  .meta({ id: 'McpConsent', description: 'A pending consent. It expires after ten minutes.' })

export const McpConsentAnswer = z
  .strictObject({
    state: nonBlankText(500).describe('The `state` of the redirect.'),
    code: nonBlankText(4000).describe('The `code` of the redirect.'),
    issuer: text(2000).nullable().default(null).describe('The `iss` of the redirect, if it has one.'),
  })
  .meta({
    id: 'McpConsentAnswer',
    description: 'The parameters of the redirect from the issuer.',
    examples: [{ state: 'from-the-address', code: 'from-the-address-too' }],
  })

export const McpConsentOutcome = z
  .object({
    isAuthorized: z.boolean().describe('Whether agents can use the server now.'),
    detail: z.string().describe('A description of the result.'),
  })
  .meta({ id: 'McpConsentOutcome', description: 'The result of a consent.' })

export type McpAuthorization = z.output<typeof McpAuthorization>
export type McpAuthorizationInput = z.output<typeof McpAuthorizationInput>
export type McpAuthorizationListQuery = z.output<typeof McpAuthorizationListQuery>
export type McpConsent = z.output<typeof McpConsent>
export type McpConsentStart = z.output<typeof McpConsentStart>
export type McpConsentAnswer = z.output<typeof McpConsentAnswer>
export type McpConsentOutcome = z.output<typeof McpConsentOutcome>
