import type { Database, Stores } from '../../ports/database.js'
import type { Passwords } from '../../ports/passwords.js'
import type { PersonRecord } from '../../ports/person-store.js'
import { DomainError } from '../domain-error.js'
import { verifyPassword } from './password-rules.js'
import type { Requester } from './person-scope.js'
import { recordForPerson } from './record-for-person.js'
import { type FactorOutcome, type SecondFactorDependencies, useSecondFactor } from './second-factor.js'

const maxFailures = 10
const lockMilliseconds = 15 * 60_000

export interface CredentialDependencies extends SecondFactorDependencies {
  readonly database: Pick<Database, 'stores' | 'transaction'>
  readonly passwords: Passwords
}

export interface PresentedCredentials {
  /** Whose they should be; null where nobody has the address. */
  readonly person: PersonRecord | null
  readonly password: string
  /** Left out where the password alone is asked for, of somebody who is signed in. */
  readonly secondFactor?: { readonly code: string | undefined }
  readonly requester: Requester
}

/**
 * Checks a password and a second factor, then does what they are needed for, in one transaction with the counting of
 * wrong tries. The slow part comes before it. Whether somebody is kept out is decided under the lock of the row: of a
 * hundred tries at once the eleventh is refused, right or wrong. Of a wrong password, an unknown address and a person
 * who is kept out the same is said, after the same time.
 */
export async function withCredentials<Result>(
  dependencies: CredentialDependencies,
  { person, password, secondFactor, requester }: PresentedCredentials,
  act: (stores: Stores, person: PersonRecord) => Promise<Result>,
): Promise<Result> {
  const { clock, database, passwords } = dependencies
  const isRight = await verifyPassword(passwords, requester, {
    hash: person?.passwordHash ?? null,
    password,
  })
  if (person === null) throw signInFailed()
  const outcome = await database.transaction(async (stores) => {
    const current = await stores.people.findLocked(person.id)
    // Another password meanwhile makes what was compared worthless.
    if (current === null || current.passwordHash !== person.passwordHash)
      return { ok: false, refusal: signInFailed() } as const
    const refuse = async (reason: string, refusal: DomainError, change: Partial<PersonRecord>) => {
      await stores.people.update({ ...current, ...change })
      const { lockedUntil } = change
      const details = { reason, ...(lockedUntil !== undefined && { lockedUntil }) }
      const record = { action: 'person.sign_in', outcome: 'refused', details } as const
      await recordForPerson(clock, { stores, person: current, requester }, record)
      return { ok: false, refusal } as const
    }
    const now = clock.now()
    if (current.lockedUntil !== null && Date.parse(current.lockedUntil) > now.getTime())
      // Not recorded each time: a stranger must not fill the log.
      return { ok: false, refusal: signInFailed() } as const
    if (!isRight) return refuse('password', signInFailed(), oneFailureMore(current, now))
    const factor: FactorOutcome = secondFactor
      ? useSecondFactor(dependencies, current, secondFactor.code)
      : { ok: true, person: current }
    if (!factor.ok)
      return factor.isMissing
        ? refuse('second factor missing', secondFactorRequired(true), {})
        : refuse('second factor', secondFactorRequired(false), oneFailureMore(current, now))
    const known = { ...factor.person, failures: 0, lockedUntil: null }
    await stores.people.update(known)
    return { ok: true, result: await act(stores, known) } as const
  })
  if (!outcome.ok) throw outcome.refusal
  return outcome.result
}

function oneFailureMore({ failures }: PersonRecord, now: Date): Partial<PersonRecord> {
  if (failures + 1 < maxFailures) return { failures: failures + 1 }
  return { failures: 0, lockedUntil: new Date(now.getTime() + lockMilliseconds).toISOString() }
}

function signInFailed(): DomainError {
  return new DomainError(
    'SignInFailed',
    'E-mail address and password do not go together. After ten wrong tries nothing is right for 15 minutes.',
  )
}

function secondFactorRequired(isMissing: boolean): DomainError {
  return new DomainError(
    'SecondFactorRequired',
    isMissing
      ? 'Send the code that your authenticator shows, or a recovery code, as code.'
      : 'The code is not right, or was used before. Wait for the next one.',
  )
}
