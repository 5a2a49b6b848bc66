import { z } from 'zod'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import { generateToken } from '../one-time-token.js'

const minutes = 60 * 1000
const attemptMilliseconds = 10 * minutes
const context = 'sign-in/oidc'

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  expiresAt: z.string(),
  /** Of the invitation that is to be accepted; null where it is a mere signing in. */
  token: z.string().nullable(),
  returnTo: z.string(),
})

/**
 * One signing in through the issuer, from its beginning to its end. It is kept sealed by the browser that began it, and
 * by nobody else: strangers leave no rows, any instance can end it, and no other browser can.
 */
export type OidcAttempt = z.output<typeof Attempt>

export function newAttempt(clock: Clock, wanted: Pick<OidcAttempt, 'token' | 'returnTo'>): OidcAttempt {
  return {
    state: generateToken(),
    nonce: generateToken(),
    codeVerifier: generateToken(),
    expiresAt: new Date(clock.now().getTime() + attemptMilliseconds).toISOString(),
    ...wanted,
  }
}

export function sealAttempt(cipher: Cipher, attempt: OidcAttempt): string {
  return cipher.seal(JSON.stringify(attempt), context)
}

/** The attempt that was sealed; null where it is none of ours, or its time is over. */
export function openAttempt(clock: Clock, cipher: Cipher, sealed: string): OidcAttempt | null {
  const attempt = readAttempt(cipher, sealed)
  return attempt !== null && Date.parse(attempt.expiresAt) > clock.now().getTime() ? attempt : null
}

function readAttempt(cipher: Cipher, sealed: string): OidcAttempt | null {
  try {
    return Attempt.parse(JSON.parse(cipher.open(sealed, context)))
  } catch {
    // Whatever a stranger may have put together.
    return null
  }
}
