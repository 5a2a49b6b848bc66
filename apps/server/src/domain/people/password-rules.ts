import { createHash, randomBytes } from 'node:crypto'
import type { PersonRecord } from '../../ports/people-stores.js'
import type { Cipher, OneTimeCodes, Passwords, SlowOutcome } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import { isCommonPassword } from './common-passwords.js'
import type { Requester } from './person-scope.js'

const minCharacters = 10
/** Longer passwords would only cost time. */
const maxBytes = 200
const retryAfterSeconds = 5

/** Hashes a new password. Throws if it breaks a rule. */
export async function hashNewPassword(
  passwords: Passwords,
  { email, path, requester, ...typed }: NewPassword,
): Promise<string> {
  const password = normalize(typed.password)
  const message = mistakeIn(password, email)
  if (message !== null) throw invalidRequest([{ path, message }])
  return requireTurn(await passwords.hash(askerOf(requester), password, typed.sibling))
}

/**
 * Throws if the person signs in through an identity provider. Such a person must not set a password, because
 * it would be a second way to sign in.
 */
export function requireOwnPassword({ passwordHash }: Pick<PersonRecord, 'passwordHash'>): void {
  if (passwordHash === null)
    throw new DomainError(
      'NoPassword',
      "Your account signs in through your organization's identity provider. Change the password and the second factor there.",
    )
}

interface NewPassword {
  readonly password: string
  /** The person's address, which is not allowed as the password. */
  readonly email: string
  /** The request field that errors refer to. */
  readonly path: string
  readonly requester: Requester
  /** The password hash of another account with this address. The new hash uses the same salt. */
  readonly sibling: string | null
}

/** Keyboards compose characters in different ways, so the text is normalized. */
const normalize = (password: string) => password.normalize('NFKC')

const askerOf = ({ ipAddress }: Requester) => ipAddress ?? 'unknown'

function mistakeIn(password: string, email: string): string | null {
  if ([...password].length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must have at most ${maxBytes} bytes`
  if (password.toLowerCase() === email) return 'must not be the email address'
  return isCommonPassword(password) ? 'is too common. Choose several unrelated words' : null
}

/**
 * Returns the account with this password, or null if there is none. Takes the same time for no account, one
 * account, several accounts, and an invalid password. If two accounts have the same password, returns the
 * first.
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
  throw new DomainError('Unavailable', 'Too many sign-in attempts are in progress. Try again in a moment.', {
    retryAfterSeconds,
  })
}

export interface SecondFactorDependencies {
  readonly clock: Clock
  readonly cipher: Cipher
  readonly oneTimeCodes: OneTimeCodes
}

/** The sealing context of the secret. The secret cannot be opened in another context. */
export const totpContext = ({ id }: Pick<PersonRecord, 'id'>) => `person/${id}/totp`

export type FactorOutcome =
  | { readonly ok: true; readonly person: PersonRecord }
  | { readonly ok: false; readonly isMissing: boolean }

/**
 * Checks the second factor of a person whose row is locked. Returns the person with the authenticator's time
 * step or the recovery code marked as used. Because of the lock, neither can be used twice.
 */
export function useSecondFactor(
  { clock, cipher, oneTimeCodes }: SecondFactorDependencies,
  person: PersonRecord,
  code: string | undefined,
): FactorOutcome {
  if (person.sealedTotp === null) return { ok: true, person }
  if (code === undefined || code === '') return { ok: false, isMissing: true }
  const now = clock.now()
  const step = oneTimeCodes.stepOf(cipher.open(person.sealedTotp, totpContext(person)), code, now)
  const last = person.lastTotpStep ?? 0
  // A step that is further ahead was used while the clock was wrong. If it were kept, all codes would be
  // rejected until that time.
  const isUsed = last <= oneTimeCodes.stepAt(now) + 1
  if (step !== null)
    return step > last || !isUsed
      ? { ok: true, person: { ...person, lastTotpStep: step } }
      : { ok: false, isMissing: false }
  const used = hashRecoveryCode(code)
  if (!person.recoveryHashes.includes(used)) return { ok: false, isMissing: false }
  const recoveryHashes = person.recoveryHashes.filter((hash) => hash !== used)
  return { ok: true, person: { ...person, recoveryHashes } }
}

const codeCount = 10
const codeAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeCharacters = 16
/**
 * Bytes of at least this value are skipped, because otherwise the first letters would be more likely than the
 * others.
 */
const fairBytes = 256 - (256 % codeAlphabet.length)

/** Returns new recovery codes. Each has 79 random bits, so that a plain hash cannot be brute-forced. */
export function makeRecoveryCodes(): readonly string[] {
  return Array.from({ length: codeCount }, makeRecoveryCode)
}

function makeRecoveryCode(): string {
  let letters = ''
  while (letters.length < codeCharacters)
    for (const byte of randomBytes(codeCharacters))
      if (byte < fairBytes && letters.length < codeCharacters)
        letters += codeAlphabet[byte % codeAlphabet.length]
  return letters.replaceAll(/.{4}(?=.)/g, '$&-')
}

/** Returns the stored hash of a recovery code. Case, spaces and hyphens are ignored. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex')
}
