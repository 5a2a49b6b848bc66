import type { Passwords, SlowOutcome } from '../../ports/passwords.js'
import type { PersonRecord } from '../../ports/person-store.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import type { Requester } from './person-scope.js'

const minCharacters = 10
/** Longer ones only cost time. */
const maxBytes = 200
const retryAfterSeconds = 5

/** Hashes a new password, or says what is wrong with it. */
export async function hashNewPassword(
  passwords: Passwords,
  { email, path, requester, ...typed }: NewPassword,
): Promise<string> {
  const password = normalize(typed.password)
  const message = mistakeIn(password, email)
  if (message !== null) throw invalidRequest([{ path, message }])
  return requireTurn(await passwords.hash(askerOf(requester), password))
}

/** Whoever came through an issuer has no password here, and gets none: one more secret would be one more way in. */
export function requireOwnPassword({ passwordHash }: Pick<PersonRecord, 'passwordHash'>): void {
  if (passwordHash === null)
    throw new DomainError(
      'NoPassword',
      'You sign in through your organization’s issuer and have no password here, nor a second factor. Both are the issuer’s.',
    )
}

export interface NewPassword {
  readonly password: string
  /** What it must not be. */
  readonly email: string
  /** Where it stands in the request. */
  readonly path: string
  readonly requester: Requester
}

/** Keyboards differ in how they put letters together; what was typed is the same. */
const normalize = (password: string) => password.normalize('NFKC')

const askerOf = ({ ipAddress }: Requester) => ipAddress ?? 'unknown'

function mistakeIn(password: string, email: string): string | null {
  if ([...password].length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must have at most ${maxBytes} bytes`
  return password.toLowerCase() === email ? 'must not be the e-mail address' : null
}

/** Whether this is the password of a person, or of nobody. What no password can be takes as long. */
export async function verifyPassword(
  passwords: Passwords,
  requester: Requester,
  { hash, password }: { readonly hash: string | null; readonly password: string },
): Promise<boolean> {
  const typed = normalize(password)
  const isPossible = Buffer.byteLength(typed) <= maxBytes
  const isRight = requireTurn(await passwords.verify(askerOf(requester), hash, isPossible ? typed : ''))
  return isRight && isPossible
}

function requireTurn<Value>(outcome: SlowOutcome<Value>): Value {
  if (outcome.ok) return outcome.value
  throw new DomainError('Unavailable', 'Too many people sign in at once. Try again in a moment.', {
    retryAfterSeconds,
  })
}
