import { createHash, randomBytes } from 'node:crypto'
import type { Cipher } from '../../ports/cipher.js'
import type { Clock } from '../../ports/clock.js'
import type { OneTimeCodes } from '../../ports/one-time-codes.js'
import type { PersonRecord } from '../../ports/person-store.js'

export interface SecondFactorDependencies {
  readonly clock: Clock
  readonly cipher: Cipher
  readonly oneTimeCodes: OneTimeCodes
}

/** Where the secret is stored: it opens nowhere else. */
export const totpContext = ({ id }: Pick<PersonRecord, 'id'>) => `person/${id}/totp`

export type FactorOutcome =
  | { readonly ok: true; readonly person: PersonRecord }
  | { readonly ok: false; readonly isMissing: boolean }

/**
 * Checks the second factor of a person whose row is locked, and returns the person without what was used up: a step
 * of the authenticator, or a recovery code. Neither works again, whatever the two who present it do at the same time.
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
/** Bytes from here on would make the first letters likelier than the rest. */
const fairBytes = 256 - (256 % codeAlphabet.length)

/** New recovery codes: 79 random bits each, so a plain hash cannot be searched back. */
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

/** What is stored of a recovery code, however it was typed. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex')
}
