import { createHash, randomBytes } from 'node:crypto'
import type { PersonRecord } from '../../ports/people-stores.js'
import type { Cipher, OneTimeCodes, Passwords, SlowOutcome } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { DomainError, invalidRequest } from '../domain-error.js'
import type { Requester } from './person-scope.js'

const minCharacters = 10
/** Longer passwords only cost time. */
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
 * Throws if the person signs in through an issuer. Such a person gets no password, because it would be a second way in.
 */
export function requireOwnPassword({ passwordHash }: Pick<PersonRecord, 'passwordHash'>): void {
  if (passwordHash === null)
    throw new DomainError(
      'NoPassword',
      'Your account signs in through the identity provider of your organization. Change the password and the second factor there.',
    )
}

interface NewPassword {
  readonly password: string
  /** The person's address. The password must not equal it. */
  readonly email: string
  /** The field of the request. */
  readonly path: string
  readonly requester: Requester
  /** The hash of another account with this address, whose salt the new hash shares. */
  readonly sibling: string | null
}

/** Keyboards compose characters differently, so equal input is normalized. */
const normalize = (password: string) => password.normalize('NFKC')

const askerOf = ({ ipAddress }: Requester) => ipAddress ?? 'unknown'

function mistakeIn(password: string, email: string): string | null {
  if ([...password].length < minCharacters) return `must have at least ${minCharacters} characters`
  if (Buffer.byteLength(password) > maxBytes) return `must have at most ${maxBytes} bytes`
  return password.toLowerCase() === email ? 'must not be the email address' : null
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
  throw new DomainError('Unavailable', 'Too many people are signing in. Try again in a moment.', {
    retryAfterSeconds,
  })
}

export interface SecondFactorDependencies {
  readonly clock: Clock
  readonly cipher: Cipher
  readonly oneTimeCodes: OneTimeCodes
}

/** The sealing context of the secret, so that it cannot be opened elsewhere. */
export const totpContext = ({ id }: Pick<PersonRecord, 'id'>) => `person/${id}/totp`

export type FactorOutcome =
  | { readonly ok: true; readonly person: PersonRecord }
  | { readonly ok: false; readonly isMissing: boolean }

/**
 * Checks the second factor of a person whose row is locked. Returns the person without the used step of the authenticator
 * or the used recovery code. Because of the lock, neither works twice.
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
  // A step further ahead was used while the clock was wrong. Remembered, it would refuse every code until then.
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
/** Bytes from this value on are skipped, because they would make the first letters more likely than the others. */
const fairBytes = 256 - (256 % codeAlphabet.length)

/** Returns new recovery codes of 79 random bits each, so that a plain hash cannot be brute-forced. */
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

/** Returns the stored hash of a recovery code, ignoring case, spaces and hyphens. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex')
}
