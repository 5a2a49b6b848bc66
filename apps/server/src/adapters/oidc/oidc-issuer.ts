import type * as OpenidClient from 'openid-client'
import { FairQueue } from '../../concurrency/fair-queue.js'
import type { IdentityIssuer, IssuedIdentity, IssuerFailure } from '../../ports/oauth.js'
import type { Timers } from '../../ports/time.js'
import { identityOf } from './claimed-identity.js'
import { describeIssuerFailure } from './issuer-failure.js'
import { makeIssuerFetch } from './issuer-fetch.js'
import { makeIssuerMetadata } from './issuer-metadata.js'

export interface OidcIssuerOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
  readonly scopes: string
  /**
   * Hosts that may be called even though they are not public. The identity provider's own host is always
   * allowed.
   */
  readonly allowedPrivateHosts: readonly string[]
  readonly timers: Timers
  /** The time limit for each call to the identity provider, in seconds. Defaults to 10. */
  readonly timeoutSeconds?: number
}

/**
 * The limits for calls in total and per address, because anyone can start a sign-in and each start calls the
 * identity provider.
 */
const turns = {
  atOnce: 16,
  atOncePerOwner: 4,
  maxWaiting: 200,
  maxWaitingPerOwner: 20,
  maxWaitMilliseconds: 10_000,
} as const

/**
 * Sign-in with OpenID Connect: authorization code with PKCE, state and nonce. The signature is always
 * verified.
 */
export function makeOidcIssuer(options: OidcIssuerOptions): IdentityIssuer {
  const { issuer, name, clientId, clientSecret, scopes, timers, timeoutSeconds = 10 } = options
  const issuerFetch = makeIssuerFetch({
    issuer,
    allowedPrivateHosts: options.allowedPrivateHosts,
    timeoutSeconds,
  })
  const slots = new FairQueue(timers, turns)
  const metadata = makeIssuerMetadata({
    issuer,
    timers,
    timeoutSeconds: timeoutSeconds / 2,
    fetch: issuerFetch.fetch,
  })
  const isPlain = new URL(issuer).protocol === 'http:'

  /**
   * Creates a new configuration for each call, because it caches the identity provider's keys, which may
   * change at any time.
   */
  async function configure(library: typeof OpenidClient) {
    const found = await metadata.read(library)
    const methods = found.token_endpoint_auth_methods_supported
    const prove = methods?.includes('client_secret_post')
      ? library.ClientSecretPost(clientSecret)
      : library.ClientSecretBasic(clientSecret)
    const configuration = new library.Configuration(found, clientId, undefined, prove)
    configuration[library.customFetch] = issuerFetch.fetch
    configuration.timeout = timeoutSeconds
    library.enableNonRepudiationChecks(configuration)
    if (isPlain) library.allowInsecureRequests(configuration)
    return configuration
  }

  async function withSlot<Value extends { readonly ok: true }>(
    asker: string,
    work: (
      library: typeof OpenidClient,
      configuration: OpenidClient.Configuration,
    ) => Promise<Value | IssuerFailure>,
  ): Promise<Value | IssuerFailure> {
    const turn = await slots.run(asker, async () => {
      // The library is loaded on first use, because most installations do not need it.
      const library = await import('openid-client')
      try {
        return await work(library, await configure(library))
      } catch (error) {
        return describeIssuerFailure(library, error)
      }
    })
    return turn.ok
      ? turn.value
      : { ok: false, reason: 'unavailable', detail: 'Too many sign-ins are in progress.' }
  }

  return {
    name,

    locate: (asker, { redirectUri, state, nonce, codeVerifier }) =>
      withSlot<{ readonly ok: true; readonly url: string }>(asker, async (library, configuration) => {
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: scopes,
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
        return { ok: true, url: url.href }
      }),

    redeem: (asker, { url, state, nonce, codeVerifier }) =>
      withSlot<{ readonly ok: true; readonly identity: IssuedIdentity }>(
        asker,
        async (library, configuration) => {
          const tokens = await library.authorizationCodeGrant(configuration, url, {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          })
          const claims = tokens.claims()
          if (claims === undefined) throw new Error('The identity provider sent no ID token.')
          // Some identity providers send the email address only in this response.
          const needsMore =
            claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          const profile = needsMore
            ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
            : claims
          const identity = identityOf({ issuer: claims.iss, subject: claims.sub }, profile)
          return identity === null
            ? { ok: false, reason: 'invalid', detail: 'The id of the account is not valid.' }
            : { ok: true, identity }
        },
      ),

    close: issuerFetch.close,
  }
}
