import { z } from 'zod'
import { actor } from './actor.js'
import { answeredMoment, httpUrl, nonBlankText, resourceFields, text } from './field.js'
import { pageOf, pageQuery } from './page.js'
import { writable } from './writable.js'

/** Where browsers come back to from whoever has asked for consent. */
export const mcpConsentPath = '/mcp/consent'

const stateFields = {
  state: z
    .enum(['new', 'authorized', 'expired'])
    .describe('`new`: nobody has consented yet. `expired`: somebody has to consent again.'),
  issuer: z.string().nullable().describe('Who has given the tokens.'),
  expiresAt: answeredMoment()
    .nullable()
    .describe('When the access token expires; it is renewed before where that is possible.'),
  authorizedBy: actor().nullable().describe('Who has consented; null where nobody has.'),
  failure: z.string().nullable().describe('Why it does not work, for a person to read; null where it does.'),
}

const plainFields = {
  serverUrl: httpUrl()
    .refine((value) => !value.includes('#'), { error: 'must not hold a fragment' })
    .describe('The address of the MCP server, exactly as agents name it.'),
  clientId: nonBlankText(2000)
    .nullable()
    .default(null)
    .describe('Our id at the issuer; null: the service registers itself there.'),
  scope: text(2000)
    .nullable()
    .default(null)
    .describe('What to ask for, separated by spaces; null: what the server says that it needs.'),
}

const readOnlyFields = [...Object.keys(resourceFields), ...Object.keys(stateFields), 'hasClientSecret']

export const McpAuthorization = z
  .object({
    ...resourceFields,
    ...plainFields,
    hasClientSecret: z.boolean().describe('Whether a client secret was given; it is never shown.'),
    ...stateFields,
  })
  .meta({
    id: 'McpAuthorization',
    description: 'The right to use an MCP server that asks for OAuth, without its tokens.',
  })

export const McpAuthorizationInput = writable(
  {
    ...plainFields,
    clientSecret: nonBlankText(2000)
      .nullable()
      .default(null)
      .describe('Our secret at the issuer, where it has given us one. Write-only.'),
  },
  readOnlyFields,
).meta({
  id: 'McpAuthorizationInput',
  description: 'An MCP server whose tokens the service is to get.',
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
        'Where the browser is sent with the code, for a program that waits for it on the same machine; null: to the service, whose page completes it.',
      ),
  })
  .meta({ id: 'McpConsentStart', description: 'How somebody is asked for consent.', examples: [{}] })

export const McpConsent = z
  .object({
    authorizationUrl: z
      .string()
      .nullable()
      .describe('Where to send the browser; null where the server or its issuer stood in the way.'),
    detail: z.string().describe('What to do, or what stood in the way, for a person to read.'),
  })
  .meta({ id: 'McpConsent', description: 'A consent that somebody is asked for; it works for ten minutes.' })

export const McpConsentAnswer = z
  .strictObject({
    state: nonBlankText(500).describe('What came back as `state`.'),
    code: nonBlankText(4000).describe('What came back as `code`.'),
    issuer: text(2000).nullable().default(null).describe('What came back as `iss`, where it did.'),
  })
  .meta({
    id: 'McpConsentAnswer',
    description: 'What a browser came back with.',
    examples: [{ state: 'from-the-address', code: 'from-the-address-too' }],
  })

export const McpConsentOutcome = z
  .object({
    isAuthorized: z.boolean().describe('Whether agents can use the server now.'),
    detail: z.string().describe('What came of it, for a person to read.'),
  })
  .meta({ id: 'McpConsentOutcome', description: 'What came of a consent.' })

export type McpAuthorization = z.output<typeof McpAuthorization>
export type McpAuthorizationInput = z.output<typeof McpAuthorizationInput>
export type McpAuthorizationListQuery = z.output<typeof McpAuthorizationListQuery>
export type McpConsent = z.output<typeof McpConsent>
export type McpConsentStart = z.output<typeof McpConsentStart>
export type McpConsentAnswer = z.output<typeof McpConsentAnswer>
export type McpConsentOutcome = z.output<typeof McpConsentOutcome>
