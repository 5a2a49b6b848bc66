import {
  type AuthorizationServerMetadata,
  checkResourceAllowed,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client'
import { parseUrl } from '@parley/contract'

/** An error whose message explains to the user why no tokens can be obtained for a server. */
export class NoIssuerError extends Error {
  override readonly name = 'NoIssuerError'
}

export interface FoundIssuer {
  readonly authorizationServerUrl: string
  readonly metadata: AuthorizationServerMetadata
  /** The resource to request tokens for, or null if the server does not state it. */
  readonly resource: string | null
  /** The required scope, or undefined if the server does not state it. */
  readonly scope: string | undefined
}

/**
 * Finds the issuer of a server's tokens, either from its response to a request without a token, or from the
 * well-known addresses.
 */
export async function findIssuer(fetchFn: typeof fetch, serverUrl: string): Promise<FoundIssuer> {
  const { resourceMetadataUrl, scope } = await askWithoutToken(fetchFn, serverUrl)
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } =
    await discoverOAuthServerInfo(serverUrl, { fetchFn, ...(resourceMetadataUrl && { resourceMetadataUrl }) })
  const configuredResource = resourceMetadata?.resource
  if (
    configuredResource !== undefined &&
    !checkResourceAllowed({ requestedResource: serverUrl, configuredResource })
  )
    throw new NoIssuerError(`The server's metadata is for ${configuredResource}, which is another address.`)
  return {
    authorizationServerUrl,
    metadata: requireFit(authorizationServerMetadata, authorizationServerUrl),
    resource: configuredResource ?? null,
    scope: scope ?? resourceMetadata?.scopes_supported?.join(' '),
  }
}

async function askWithoutToken(fetchFn: typeof fetch, serverUrl: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const response = await fetchFn(serverUrl, { method: 'POST', headers, body })
  await response.body?.cancel()
  return response.status === 401 ? extractWWWAuthenticateParams(response) : {}
}

/**
 * Rejects metadata that is unproven or unsafe: a different issuer name, invalid addresses, and codes without
 * PKCE.
 */
function requireFit(
  metadata: AuthorizationServerMetadata | undefined,
  authorizationServerUrl: string,
): AuthorizationServerMetadata {
  if (metadata === undefined)
    throw new NoIssuerError(
      `${authorizationServerUrl} has no OAuth metadata. The server may require no token, or a key in a header.`,
    )
  const { issuer, authorization_endpoint: consent, token_endpoint: tokens } = metadata
  if (withoutSlash(issuer) !== withoutSlash(authorizationServerUrl))
    throw new NoIssuerError(`The metadata of ${authorizationServerUrl} names another issuer, ${issuer}.`)
  for (const url of [consent, tokens])
    if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
      throw new NoIssuerError(`The address ${url} of ${issuer} is not valid.`)
  if (!metadata.code_challenge_methods_supported?.includes('S256'))
    throw new NoIssuerError(`${issuer} does not support PKCE with S256, which is required.`)
  return metadata
}

const withoutSlash = (url: string) => url.replace(/\/$/, '')
