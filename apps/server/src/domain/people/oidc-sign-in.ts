import { type OidcStart, oidcCallbackPath } from '@parley/contract'
import { z } from 'zod'
import type { Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { IdentityIssuer, IssuedIdentity, IssuerFailure } from '../../ports/oauth.js'
import type { Cipher } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { DomainError } from '../domain-error.js'
import { generateToken, hashToken } from '../new-id.js'
import { identifyPerson } from './identified-person.js'
import { joinOrganization, requireOpenInvitation } from './join-organization.js'
import { type PeopleDependencies, signInPerson } from './me.js'
import { type Requester, recordForPerson } from './person-scope.js'

export interface OidcDependencies extends PeopleDependencies {
  readonly issuer: IdentityIssuer
  readonly publicUrl: () => string
  readonly log: Log
}

/** A browser's return from the identity provider. */
export interface OidcReturn {
  /** The sealed sign-in attempt, or null if this browser has not started one. */
  readonly sealed: string | null
  /** The query parameters from the identity provider. */
  readonly search: string
}

type Outcome =
  | { readonly ok: true; readonly token: string; readonly browser: string | null; readonly returnTo: string }
  | { readonly ok: false; readonly refusal: DomainError }

const retryAfterSeconds = 10

export type OidcSignIn = ReturnType<typeof makeOidcSignIn>

/** Signs people in through the operator's identity provider. */
export function makeOidcSignIn(dependencies: OidcDependencies) {
  const { clock, cipher, database, issuer, publicUrl, log } = dependencies
  const redirectUri = () => `${publicUrl()}${oidcCallbackPath}`
  const askerOf = ({ ipAddress }: Requester) => ipAddress ?? 'unknown'

  /** The identity provider's message is only logged. The person gets instructions instead. */
  const note = ({ reason, detail }: IssuerFailure, { requestId }: Requester) =>
    log.warn({ reason, detail, requestId }, 'a sign-in through the identity provider failed')

  /**
   * Identifies the person, and stores link, session and audit records in one transaction, so that no sign-in
   * is completed twice.
   */
  async function letIn(
    stores: Stores,
    requester: Requester,
    { attempt, identity }: { readonly attempt: OidcAttempt; readonly identity: IssuedIdentity },
  ): Promise<Outcome> {
    const { state, expiresAt, token, returnTo } = attempt
    if (!(await stores.people.useOidcState(hashToken(state), expiresAt)))
      return { ok: false, refusal: attemptInvalid() }
    const invitation = token === null ? null : await requireOpenInvitation(clock, stores, token)
    const found = await identifyPerson(clock, stores, { identity, invitation })
    const account = { issuer: identity.issuer, subject: identity.subject }
    if (!found.ok) {
      const { people, refusal } = found
      // Nothing is stored for unauthenticated visitors, not even the state.
      if (people.length === 0) throw refusal
      const details = { reason: refusal.code, ...account }
      const record = { action: 'person.sign_in', outcome: 'refused', details } as const
      for (const person of people) await recordForPerson(clock, { stores, person, requester }, record)
      return { ok: false, refusal }
    }
    const scope = { stores, person: found.person, requester }
    const session =
      token === null
        ? await signInPerson(dependencies, scope, { issuer: identity.issuer })
        : await joinOrganization(dependencies, scope, token)
    if (found.dropped !== null) {
      const details = { ...account, dropped: found.dropped }
      await recordForPerson(clock, scope, { action: 'person.prove', details })
    }
    if (found.isNewLink) await recordForPerson(clock, scope, { action: 'person.link', details: account })
    return { ok: true, token: session.token, browser: session.browser, returnTo }
  }

  return {
    name: issuer.name,

    /** Returns the identity provider's URL, and the sealed attempt that the browser must return with. */
    async begin(
      requester: Requester,
      { token, returnTo = '/' }: OidcStart,
    ): Promise<{ readonly url: string; readonly sealed: string }> {
      if (token !== undefined) await requireOpenInvitation(clock, database.stores, token)
      const attempt = newAttempt(clock, { token: token ?? null, returnTo })
      const located = await issuer.locate(askerOf(requester), { ...attempt, redirectUri: redirectUri() })
      if (!located.ok) {
        note(located, requester)
        throw identityProviderUnavailable()
      }
      return { url: located.url, sealed: sealAttempt(cipher, attempt) }
    },

    /**
     * Signs in a person who returns from the identity provider, and returns their destination. Requests to
     * the identity provider are made outside transactions.
     */
    async finish(
      requester: Requester,
      { sealed, search }: OidcReturn,
    ): Promise<{ readonly token: string; readonly browser: string | null; readonly returnTo: string }> {
      const attempt = sealed === null ? null : openAttempt(clock, cipher, sealed)
      const url = new URL(`${redirectUri()}${search}`)
      if (attempt === null || url.searchParams.get('state') !== attempt.state) throw attemptInvalid()
      const redeemed = await issuer.redeem(askerOf(requester), { ...attempt, url })
      if (!redeemed.ok) {
        note(redeemed, requester)
        throw refusalFor(redeemed)
      }
      const { identity } = redeemed
      const outcome = await database.transaction((stores) => letIn(stores, requester, { attempt, identity }))
      if (!outcome.ok) throw outcome.refusal
      return outcome
    },
  }
}

function refusalFor({ reason }: IssuerFailure): DomainError {
  switch (reason) {
    case 'refused':
      return new DomainError(
        'OidcRefused',
        'The identity provider rejected the sign-in. Try again, or ask its administrator.',
      )
    case 'invalid':
      return new DomainError(
        'OidcTokenInvalid',
        'The token from the identity provider is invalid. Ask the operator for help.',
      )
    case 'unavailable':
      return identityProviderUnavailable()
  }
}

function identityProviderUnavailable(): DomainError {
  return new DomainError(
    'OidcUnavailable',
    'The identity provider is not responding correctly. Try again in a moment, or sign in with a password. See the server log for details.',
    { retryAfterSeconds },
  )
}

function attemptInvalid(): DomainError {
  return new DomainError(
    'OidcAttemptInvalid',
    'This sign-in was started in another browser, took longer than ten minutes, or was already completed. Start again.',
  )
}

const minutes = 60 * 1000
const attemptMilliseconds = 10 * minutes
const context = 'sign-in/oidc'

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  expiresAt: z.string(),
  /** The token of the invitation to accept, or null for a normal sign-in. */
  token: z.string().nullable(),
  returnTo: z.string(),
})

/**
 * A sign-in attempt at the identity provider, which is stored only in the browser that began it, in sealed
 * form. As a result, unauthenticated visitors create no rows, any instance can complete the attempt, and no
 * other browser can.
 */
type OidcAttempt = z.output<typeof Attempt>

function newAttempt(clock: Clock, wanted: Pick<OidcAttempt, 'token' | 'returnTo'>): OidcAttempt {
  return {
    state: generateToken(),
    nonce: generateToken(),
    codeVerifier: generateToken(),
    expiresAt: new Date(clock.now().getTime() + attemptMilliseconds).toISOString(),
    ...wanted,
  }
}

function sealAttempt(cipher: Cipher, attempt: OidcAttempt): string {
  return cipher.seal(JSON.stringify(attempt), context)
}

/** Opens a sealed attempt. Returns null if this service did not seal it or if it has expired. */
function openAttempt(clock: Clock, cipher: Cipher, sealed: string): OidcAttempt | null {
  const attempt = readAttempt(cipher, sealed)
  return attempt !== null && Date.parse(attempt.expiresAt) > clock.now().getTime() ? attempt : null
}

function readAttempt(cipher: Cipher, sealed: string): OidcAttempt | null {
  try {
    return Attempt.parse(JSON.parse(cipher.open(sealed, context)))
  } catch {
    // The value may be forged.
    return null
  }
}
