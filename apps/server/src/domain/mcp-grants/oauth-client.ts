import { parseUrl } from '@parley/contract'
import { z } from 'zod'
import type { Cipher } from '../../ports/secrets.js'
import { OAuthRefusal } from './oauth-refusal.js'

/** An MCP client and the metadata of its registration. */
export interface OAuthClient {
  readonly clientName: string
  readonly redirectUris: readonly string[]
}

const context = 'mcp-oauth-client'
const maxRedirectUris = 5
const maxUriLength = 500
const maxNameLength = 100

/** The fields of a registration request that are used here. Other fields are ignored. */
const ClientRegistration = z.looseObject({
  redirect_uris: z.array(z.string().max(maxUriLength)).min(1).max(maxRedirectUris),
  client_name: z.string().max(1000).optional(),
  token_endpoint_auth_method: z.string().max(100).optional(),
})

const SealedClient = z.object({ n: z.string(), r: z.array(z.string()) })

/**
 * Registers a client without storing it: the client id is its sealed registration. Unauthenticated clients
 * can therefore register any number of times without creating rows, and every instance knows every client.
 */
export function registerOAuthClient(
  cipher: Cipher,
  input: unknown,
): OAuthClient & { readonly clientId: string } {
  const parsed = ClientRegistration.safeParse(input)
  if (!parsed.success)
    throw new OAuthRefusal(
      'invalid_client_metadata',
      `redirect_uris must list 1 to ${maxRedirectUris} addresses.`,
    )
  const { redirect_uris: redirectUris, client_name, token_endpoint_auth_method: method } = parsed.data
  if (!redirectUris.every(isRedirectUri))
    throw new OAuthRefusal(
      'invalid_redirect_uri',
      `Redirect addresses must be https, http on a loopback address, or use a scheme with a dot (com.example.app:) or one of ${knownApps.join(', ')}. They must not have a fragment or credentials.`,
    )
  if (method !== undefined && method !== 'none')
    throw new OAuthRefusal(
      'invalid_client_metadata',
      'token_endpoint_auth_method must be none: clients are public.',
    )
  const clientName = cleanName(client_name ?? '')
  const sealed = cipher.seal(JSON.stringify({ n: clientName, r: redirectUris }), context)
  return { clientName, redirectUris, clientId: `prc_${Buffer.from(sealed).toString('base64url')}` }
}

/** Returns the client with this id, or null if this service has not issued the id. */
export function openOAuthClient(cipher: Cipher, clientId: string): OAuthClient | null {
  const [, encoded] = /^prc_([\w-]{20,6000})$/.exec(clientId) ?? []
  if (encoded === undefined) return null
  const sealed = Buffer.from(encoded, 'base64url').toString('utf8')
  // Rejects other encodings of the same bytes, so that a client has only one id.
  if (Buffer.from(sealed).toString('base64url') !== encoded) return null
  try {
    const { n, r } = SealedClient.parse(JSON.parse(cipher.open(sealed, context)))
    return { clientName: n, redirectUris: r }
  } catch {
    return null
  }
}

/** Returns whether the client has registered this redirect URI. The port of a loopback address may differ. */
export function isRegisteredUri({ redirectUris }: OAuthClient, redirectUri: string): boolean {
  // The URI is checked again, because an earlier version may have registered other schemes.
  if (!isRedirectUri(redirectUri)) return false
  const wanted = withoutLoopbackPort(redirectUri)
  return redirectUris.some((uri) => uri === redirectUri || withoutLoopbackPort(uri) === wanted)
}

/**
 * Returns the part of an address that is shown to people: the host, or the scheme and host if the address
 * opens an app.
 */
export function redirectTarget({ protocol, host }: URL): string {
  if (protocol === 'https:' || protocol === 'http:') return host
  return host === '' ? protocol : `${protocol}//${host}`
}

const loopback = ['127.0.0.1', '[::1]', 'localhost']
/** Well-known MCP clients whose schemes contain no dot. */
const knownApps = ['claude', 'cursor', 'vscode', 'vscode-insiders', 'windsurf']
/**
 * A reversed domain of the app's author (RFC 8252, 7.1). Schemes without a dot are reserved by operating
 * systems.
 */
const reverseDomain = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+$/

function isRedirectUri(text: string): boolean {
  const url = parseUrl(text)
  if (url === null || text.includes('#') || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return loopback.includes(url.hostname)
  const scheme = url.protocol.slice(0, -1)
  return reverseDomain.test(scheme) || knownApps.includes(scheme)
}

function withoutLoopbackPort(text: string): string {
  const url = parseUrl(text)
  if (url === null || url.protocol !== 'http:' || !loopback.includes(url.hostname)) return text
  url.port = ''
  return url.href
}

/**
 * Cleans the client name that people see when they decide: removes line breaks and hidden or bidirectional
 * characters.
 */
function cleanName(name: string): string {
  const clean = name
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength)
  return clean === '' ? 'Unnamed client' : clean
}
