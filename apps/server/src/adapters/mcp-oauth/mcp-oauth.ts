import {
  exchangeAuthorization,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  registerClient,
  startAuthorization,
} from '@modelcontextprotocol/client'
import type { McpOAuth, McpOAuthStart, OAuthOutcome } from '../../ports/oauth.js'
import type { Outbound } from '../../ports/outbound.js'
import { makeGuardedFetch } from '../outbound/guarded-fetch.js'
import { type FoundIssuer, findIssuer, NoIssuerError } from './find-issuer.js'
import { parseMemory, type RememberedClient, remember } from './oauth-memory.js'
import { tokensOf, tolerantTokenFetch } from './token-answers.js'

const limits = { timeoutMilliseconds: 10_000, maxResponseBytes: 256 * 1024 }
const maxDetailLength = 500

export interface McpOAuthOptions {
  readonly outbound: Outbound
  /** Returns the address where users can see who requests their consent. */
  readonly clientUri: () => string
}

/** MCP's OAuth client, based on the MCP library. All requests go through the outbound guard. */
export function makeMcpOAuth({ outbound, clientUri }: McpOAuthOptions): McpOAuth {
  const fetchFn = makeGuardedFetch(outbound, limits)
  const fetchTokens = tolerantTokenFetch(fetchFn)

  async function clientAt(
    { authorizationServerUrl, metadata }: FoundIssuer,
    { clientId, clientSecret, redirectUri, scope }: McpOAuthStart,
  ): Promise<RememberedClient['client']> {
    if (clientId !== null)
      return { client_id: clientId, ...(clientSecret !== null && { client_secret: clientSecret }) }
    if (metadata.registration_endpoint === undefined)
      throw new NoIssuerError(
        `${metadata.issuer} does not support automatic registration of clients. Register a client there with the redirect address ${redirectUri}, and set its clientId here.`,
      )
    return registerClient(authorizationServerUrl, {
      metadata,
      fetchFn,
      clientMetadata: {
        client_name: 'Parley',
        client_uri: clientUri(),
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        ...(scope !== null && { scope }),
      },
    })
  }

  function outcomeOf<Value>(work: () => Promise<Value>): Promise<OAuthOutcome<Value>> {
    return work().then(
      (value) => ({ ok: true, value }),
      (error: unknown) => ({ ok: false, ...explain(error, outbound) }),
    )
  }

  return {
    begin: (start) =>
      outcomeOf(async () => {
        const found = await findIssuer(fetchFn, start.serverUrl)
        const { authorizationServerUrl, metadata, resource } = found
        const client = await clientAt(found, start)
        const scope = start.scope ?? found.scope
        const { authorizationUrl, codeVerifier } = await startAuthorization(authorizationServerUrl, {
          metadata,
          clientInformation: client,
          redirectUrl: start.redirectUri,
          state: start.state,
          ...(scope !== undefined && { scope }),
          ...(resource !== null && { resource: new URL(resource) }),
        })
        const { redirectUri } = start
        return {
          authorizationUrl: String(authorizationUrl),
          issuer: metadata.issuer,
          clientId: client.client_id,
          memory: remember({ authorizationServerUrl, metadata, client, resource, redirectUri, codeVerifier }),
        }
      }),

    complete: (memory, { code, issuer }) =>
      outcomeOf(async () => {
        const { authorizationServerUrl, ...client } = parseMemory(memory)
        requireSameIssuer(client, issuer)
        return tokensOf(
          await exchangeAuthorization(authorizationServerUrl, {
            ...tokenRequest(client),
            authorizationCode: code,
            codeVerifier: client.codeVerifier,
            redirectUri: client.redirectUri,
            fetchFn: fetchTokens,
          }),
        )
      }),

    renew: (memory, refreshToken) =>
      outcomeOf(async () => {
        const { authorizationServerUrl, ...client } = parseMemory(memory)
        return tokensOf(
          await refreshAuthorization(authorizationServerUrl, {
            ...tokenRequest(client),
            refreshToken,
            fetchFn: fetchTokens,
          }),
        )
      }),

    async revoke(memory, token) {
      await outcomeOf(async () => {
        const { metadata, client } = parseMemory(memory)
        if (!('revocation_endpoint' in metadata) || metadata.revocation_endpoint === undefined) return
        const body = new URLSearchParams({ token, client_id: client.client_id })
        if (client.client_secret !== undefined) body.set('client_secret', client.client_secret)
        const response = await fetchFn(String(metadata.revocation_endpoint), { method: 'POST', body })
        await response.body?.cancel()
      })
    },
  }
}

function tokenRequest({ metadata, client, resource }: Omit<RememberedClient, 'authorizationServerUrl'>) {
  return { metadata, clientInformation: client, ...(resource !== null && { resource: new URL(resource) }) }
}

/** A code that another issuer has issued must not be sent to this one. */
function requireSameIssuer({ metadata }: Pick<RememberedClient, 'metadata'>, issuer: string | null): void {
  const isIssuerRequired =
    'authorization_response_iss_parameter_supported' in metadata &&
    metadata.authorization_response_iss_parameter_supported === true
  if (issuer === null ? isIssuerRequired : issuer !== metadata.issuer)
    throw new NoIssuerError(`The response is not from ${metadata.issuer}.`)
}

/** Errors of an issuer that may be temporary. */
const temporaryCodes: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]

function explain(error: unknown, outbound: Outbound): { readonly detail: string; readonly isFinal: boolean } {
  if (outbound.isFailure(error)) return { detail: error.detail, isFinal: false }
  if (error instanceof OAuthError) {
    const detail = `The issuer answered ${error.code}: ${error.message}`
    return { detail: detail.slice(0, maxDetailLength), isFinal: !temporaryCodes.includes(error.code) }
  }
  const message = error instanceof Error ? error.message : 'The issuer sent an unexpected response.'
  return { detail: message.slice(0, maxDetailLength), isFinal: false }
}
