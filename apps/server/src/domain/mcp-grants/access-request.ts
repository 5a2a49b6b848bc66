import { coversScope, type McpAccessRequest, mcpScopes, type Scope } from '@parley/contract'
import type { Cipher } from '../../ports/secrets.js'
import { isRegisteredUri, type OAuthClient, openOAuthClient } from './oauth-client.js'
import { OAuthRefusal } from './oauth-refusal.js'

/** A valid authorization request. */
export interface CheckedRequest {
  readonly client: OAuthClient
  readonly scopes: readonly Scope[]
}

/**
 * Returns the client if it has registered this redirect URI. An error here must not redirect the browser,
 * because the address is not trusted.
 */
export function requireClient(
  cipher: Cipher,
  { clientId, redirectUri }: Pick<McpAccessRequest, 'clientId' | 'redirectUri'>,
): OAuthClient {
  const client = openOAuthClient(cipher, clientId)
  if (client === null) throw new OAuthRefusal('invalid_client', 'Unknown client. Register it again.')
  if (!isRegisteredUri(client, redirectUri))
    throw new OAuthRefusal(
      'invalid_request',
      'redirect_uri must be one of the addresses that the client registered.',
    )
  return client
}

/** Validates everything in a request that does not depend on the person. */
export function checkRequest(
  cipher: Cipher,
  resource: string,
  request: Pick<McpAccessRequest, 'clientId' | 'redirectUri' | 'codeChallenge' | 'scope' | 'resource'>,
): CheckedRequest {
  const client = requireClient(cipher, request)
  if (!/^[\w-]{43}$/.test(request.codeChallenge))
    throw new OAuthRefusal('invalid_request', 'code_challenge must be a SHA-256 hash in base64url (S256).')
  requireResource(resource, request.resource)
  return { client, scopes: wantedScopes(request.scope) }
}

/** Throws if the token is requested for a resource other than this service's /mcp. */
export function requireResource(own: string, wanted: string | null): void {
  if (wanted !== null && withoutSlash(wanted) !== own)
    throw new OAuthRefusal('invalid_target', `Tokens are only issued for ${own}.`)
}

const withoutSlash = (url: string) => url.replace(/\/$/, '')

/**
 * Returns the requested scopes that exist, or all scopes if there is no `scope` parameter. Unknown scopes are
 * ignored.
 */
function wantedScopes(scope: string | null): readonly Scope[] {
  const named = (scope ?? '').split(' ').filter((each) => each !== '')
  if (named.length === 0) return mcpScopes
  const found = mcpScopes.filter((each) => named.includes(each))
  if (found.length === 0)
    throw new OAuthRefusal('invalid_scope', `The available scopes are ${mcpScopes.join(', ')}.`)
  return found
}

/** Returns the requested scopes that a person's role includes. */
export function coveredScopes(wanted: readonly Scope[], held: readonly Scope[]): readonly Scope[] {
  return wanted.filter((scope) => coversScope(held, scope))
}
