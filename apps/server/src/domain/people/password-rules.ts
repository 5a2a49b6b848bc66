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
  return requireTurn(await passwords.hash(askerOf(requester), password, typed.sibling))
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
  /** The hash of another account with this address, whose salt the new hash shares. */
  readonly sibling: string | null
}

/** Keyboards differ in how they put letters together; what was typed is the same. */
const normalize = (password: string) => password.normalize('NFKC')

const askerOf = ({ ipAddress }: Requester) => ipAddress ?? 'unknown'

function mistakeIn(password: string, email: string): string | null {
  if ([...password].length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must have at most ${maxBytes} bytes`
  return password.toLowerCase() === email ? 'must not be the e-mail address' : null
}

/**
 * Returns the account whose password this is, or null. No accounts, several accounts and a text that cannot be a password
 * take as long as one account. If two accounts have the same password, the first of them counts.
 */
export async function findByPassword(
  passwords: Passwords,
  requester: Requester,
  { accounts, password }: { readonly accounts: readonly PersonRecord[]; readonly password: string },
): Promise<PersonRecord | null> {
  const typed = normalize(password)
  const isPossible = Buffer.byteLength(typed) <= maxBytes
  const hashes = accounts.map(({ passwordHash }) => passwordHash).filter((hash) => hash !== null)
  const found = requireTurn(await passwords.verify(askerOf(requester), hashes, isPossible ? typed : ''))
  if (found === null || !isPossible) return null
  return accounts.find(({ passwordHash }) => passwordHash === found) ?? null
}

function requireTurn<Value>(outcome: SlowOutcome<Value>): Value {
  if (outcome.ok) return outcome.value
  throw new DomainError('Unavailable', 'Too many people sign in at once. Try again in a moment.', {
    retryAfterSeconds,
  })
}
