import * as oauth from 'oauth4webapi'
import type { SignedInPerson } from '../people/signed-in.js'
import type { RunningService } from '../start-service.js'

/** Tests reach the service without TLS. */
const insecure = { [oauth.allowInsecureRequests]: true }
const redirectUri = 'http://127.0.0.1:5555/callback'

export interface Registered {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly resource: string
}

/** Discovers the authorization server from the address of /mcp and registers a client. */
async function register({ url }: Pick<RunningService, 'url'>): Promise<Registered> {
  const resource = new URL('/mcp', url)
  const told = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  )
  const issuer = new URL(told.authorization_servers?.[0] ?? '')
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' }),
  )
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      { client_name: 'Independent\nclient', redirect_uris: [redirectUri] },
      insecure,
    ),
  )
  return { server, client, resource: resource.href }
}

/** Plays the console's consent page: reads the client's request and sends the decision back to the client. */
export async function decideInConsole(
  { organizationId }: Pick<RunningService, 'organizationId'>,
  person: SignedInPerson,
  authorizationUrl: URL,
  decision: 'allow' | 'deny' = 'allow',
) {
  const sent = await fetch(authorizationUrl, { redirect: 'manual' })
  const query = pageQueryOf('authorize', sent)
  const request = Object.fromEntries(new URLSearchParams(query))
  const shown = await person.call('POST', '/api/v1/Me/mcp-request', { body: request })
  const body = { request, organizationId, decision }
  const decided = await person.call('POST', '/api/v1/Me/mcp-grant', { body })
  if (decided.status !== 200) throw new Error(`${query} ${decided.text}`)
  return {
    shown: JSON.parse(shown.text) as Readonly<Record<string, unknown>>,
    callback: new URL(JSON.parse(decided.text).redirectUrl),
  }
}

export interface Granted extends Registered {
  readonly tokens: oauth.TokenEndpointResponse
  readonly shown: Readonly<Record<string, unknown>>
  /** Exchanges the code for tokens. This was already done for this client. */
  repeatExchange(): Promise<Response>
  renew(refreshToken?: string): Promise<oauth.TokenEndpointResponse>
  revoke(token: string): Promise<void>
}

/** Runs the whole flow with a library that knows nothing of the service. */
export async function obtainTokens(
  running: RunningService,
  person: SignedInPerson,
  scope?: string,
): Promise<Granted> {
  const registered = await register(running)
  const { server, client, resource } = registered
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(server.authorization_endpoint ?? '')
  const asked = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scope !== undefined && { scope }),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  const { callback, shown } = await decideInConsole(running, person, address)
  // Checks state and iss.
  const parameters = oauth.validateAuthResponse(server, client, callback, state)
  const additionalParameters = { resource }
  const exchange = () =>
    oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirectUri, verifier, {
      ...insecure,
      additionalParameters,
    })
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange())
  return {
    ...registered,
    tokens,
    shown,
    repeatExchange: exchange,
    renew: async (refreshToken = tokens.refresh_token ?? '') =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, {
          ...insecure,
          additionalParameters,
        }),
      ),
    revoke: async (token) =>
      oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, oauth.None(), token, insecure),
      ),
  }
}

/** Returns the request that the console's page gets for a redirected browser. */
export function pageQueryOf(page: string, { headers }: Response): string {
  const [, text = ''] = (headers.get('location') ?? '').split(`/#/${page}?with=q.`)
  return Buffer.from(text, 'base64url').toString()
}

/**
 * The client's redirect address, where no server listens. A careless page would read the state as a number.
 */
export async function consentAddress(
  running: Pick<RunningService, 'url'>,
): Promise<{ readonly address: URL }> {
  const { server, client, resource } = await register(running)
  const address = new URL(server.authorization_endpoint ?? '')
  const query = { client_id: client.client_id, redirect_uri: redirectUri, resource, state: '1e5' }
  const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256', response_type: 'code' }
  address.search = String(new URLSearchParams({ ...query, ...challenge }))
  return { address }
}
