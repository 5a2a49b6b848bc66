import { createHash } from 'node:crypto'
import type { Database, Stores } from '../../ports/database.js'
import type { Log } from '../../ports/log.js'
import type { PersonRecord, SignInTriesRecord } from '../../ports/people-stores.js'
import type { Passwords } from '../../ports/secrets.js'
import type { Clock } from '../../ports/time.js'
import { DomainError } from '../domain-error.js'
import {
  type FactorOutcome,
  findByPassword,
  type SecondFactorDependencies,
  useSecondFactor,
} from './password-rules.js'
import { type PersonScope, type Requester, recordForPerson } from './person-scope.js'

export interface CredentialDependencies extends SecondFactorDependencies {
  readonly database: Pick<Database, 'stores' | 'transaction'>
  readonly passwords: Passwords
  readonly afterAnswer: AfterAnswer
}

export interface PresentedCredentials {
  /** The accounts to compare the password with. Empty if the address has no account. */
  readonly accounts: readonly PersonRecord[]
  readonly password: string
  /** Omitted if only the password is required, as for a person who is signed in. */
  readonly secondFactor?: { readonly code: string | undefined }
  readonly counters: TriesCounters
  readonly requester: Requester
}

/**
 * The counters of failed attempts. A wrong password counts in both. The account determines which one may lock
 * it.
 */
export interface TriesCounters {
  /** The shared counter of the address. Null if the person is signed in. */
  readonly address: TriesKey | null
  /** The counter of the person's session or known browser. Other people cannot lock it. */
  readonly own: TriesKey | null
  /**
   * Whether several accounts have the address. A sign-in to one of them must not reset the attempts at
   * another.
   */
  readonly isShared: boolean
}

interface Refusal {
  readonly ok: false
  readonly refusal: DomainError
  /** The counter after a wrong password. Its audit record is written after the response. */
  readonly recorded?: SignInTriesRecord
}

type Outcome<Result> = { readonly ok: true; readonly result: Result } | Refusal

/**
 * Checks a password and a second factor. If both are correct, runs the given work in the transaction that
 * counts attempts. Unknown addresses, wrong passwords and locked counters take the same path, with the same
 * hash, statements and response, so that the response time reveals nothing. Counters are checked under their
 * row lock: of a hundred concurrent attempts, the eleventh is rejected even if it is correct. The audit
 * record of a wrong password is written after the response.
 */
export async function withCredentials<Result>(
  dependencies: CredentialDependencies,
  presented: PresentedCredentials,
  act: (stores: Stores, person: PersonRecord) => Promise<Result>,
): Promise<Result> {
  const { clock, database, passwords, afterAnswer } = dependencies
  const { accounts, password, secondFactor, counters, requester } = presented
  const found = await findByPassword(passwords, requester, { accounts, password })
  const outcome = await database.transaction(async (stores): Promise<Outcome<Result>> => {
    const locked = await lockCounters(clock, stores, { counters, found })
    const { judge } = locked
    if (found === null || judge.isLocked)
      return refuseTry(clock, stores, { ...locked, isWrong: found === null })
    const current = await stores.people.findLocked(found.id)
    // The password was changed after the comparison.
    if (current === null || current.passwordHash !== found.passwordHash)
      return { ok: false, refusal: signInFailed() }
    const factor: FactorOutcome = secondFactor
      ? useSecondFactor(dependencies, current, secondFactor.code)
      : { ok: true, person: current }
    if (!factor.ok) {
      const { isMissing } = factor
      return refuseCode(clock, { stores, person: current, requester }, { judge, isMissing })
    }
    if (judge.tries.personId !== null || !counters.isShared)
      await stores.signInAttempts.remove(judge.tries.key)
    if (factor.person !== current) await stores.people.update(factor.person)
    return { ok: true, result: await act(stores, factor.person) }
  })
  if (outcome.ok) return outcome.result
  const { recorded } = outcome
  if (recorded !== undefined)
    afterAnswer.run(() =>
      database.transaction(async (stores) => {
        for (const person of accounts)
          await recordForPerson(clock, { stores, person, requester }, refusedFor('password', recorded))
      }),
    )
  throw outcome.refusal
}

interface LockedCounters {
  readonly all: readonly LockedTries[]
  /** The counter that determines whether these credentials are checked. */
  readonly judge: LockedTries
}

async function lockCounters(
  clock: Clock,
  stores: Stores,
  { counters, found }: { readonly counters: TriesCounters; readonly found: PersonRecord | null },
): Promise<LockedCounters> {
  const address = counters.address && (await lockTries(clock, stores, counters.address))
  const own = counters.own && (await lockTries(clock, stores, counters.own))
  const isOwn = found === null || own?.tries.personId === found.id
  const judge = (isOwn ? own : null) ?? address ?? own
  if (judge === null) throw new Error('Credentials were checked without a counter of failed attempts.')
  return { judge, all: [address, own].filter((each) => each !== null) }
}

/** Counts a wrong password. A locked counter stays unchanged, but the same rows are written. */
async function refuseTry(
  clock: Clock,
  { signInAttempts }: Stores,
  { all, judge, isWrong }: LockedCounters & { readonly isWrong: boolean },
): Promise<Refusal> {
  for (const counter of all)
    await signInAttempts.update(isWrong ? afterWrongPassword(clock, counter) : counter.tries)
  // Attempts at a locked counter are not recorded, because otherwise anyone could fill the log.
  if (judge.isLocked) return { ok: false, refusal: signInFailed() }
  return { ok: false, refusal: signInFailed(), recorded: afterWrongPassword(clock, judge) }
}

/** Counts a wrong code. Its sender knows the password, so the person gets a warning at the next sign-in. */
async function refuseCode(
  clock: Clock,
  scope: Omit<PersonScope, 'session'>,
  { judge, isMissing }: { readonly judge: LockedTries; readonly isMissing: boolean },
): Promise<Refusal> {
  const { stores, person } = scope
  const tries = isMissing ? judge.tries : afterWrongCode(clock, judge)
  await stores.signInAttempts.update(tries)
  if (!isMissing) {
    const wrongCodesSince = person.wrongCodesSince ?? clock.now().toISOString()
    await stores.people.update({ ...person, wrongCodes: person.wrongCodes + 1, wrongCodesSince })
  }
  const reason = isMissing ? 'second factor missing' : 'second factor'
  await recordForPerson(clock, scope, refusedFor(reason, tries))
  return { ok: false, refusal: secondFactorRequired(isMissing) }
}

function refusedFor(reason: string, { lockedUntil }: SignInTriesRecord) {
  const details = { reason, ...(lockedUntil !== null && { lockedUntil }) }
  return { action: 'person.sign_in', outcome: 'refused', details } as const
}

function signInFailed(): DomainError {
  return new DomainError(
    'SignInFailed',
    'The email address or the password is wrong. Ten failed attempts block further attempts for 15 minutes.',
  )
}

function secondFactorRequired(isMissing: boolean): DomainError {
  return new DomainError(
    'SecondFactorRequired',
    isMissing
      ? 'Send the code of your authenticator app, or a recovery code, as code.'
      : 'The code is wrong or was already used. Wait for the next code.',
  )
}

const minutes = 60_000
const days = 24 * 60 * minutes
const maxFailures = 10
const lockMilliseconds = 15 * minutes
const maxLockMilliseconds = days
/**
 * Wrong codes are forgotten after this time, because an owner who signs in only from known browsers never
 * resets the shared counter.
 */
const codesKeptMilliseconds = 30 * days

/** Identifies a counter of failed attempts. */
interface TriesKey {
  readonly key: string
  /** The person of the browser or session. Null for the counter of an address. */
  readonly personId: string | null
}

const keyOf = (kind: string, id: string) => createHash('sha256').update(`${kind} ${id}`).digest('hex')

export const triesOfAddress = (email: string): TriesKey => ({
  key: keyOf('address', email.toLowerCase()),
  personId: null,
})

export const triesOfBrowser = (personId: string, browserId: string): TriesKey => ({
  key: keyOf('browser', `${personId} ${browserId}`),
  personId,
})

export const triesOfSession = ({
  id,
  personId,
}: {
  readonly id: string
  readonly personId: string
}): TriesKey => ({
  key: keyOf('session', id),
  personId,
})

/** A counter whose row is locked. */
interface LockedTries {
  readonly tries: SignInTriesRecord
  readonly isLocked: boolean
}

/**
 * Locks the row of a counter. A lockout that exceeds its maximum duration was written while the clock was
 * ahead, so it is shortened to the maximum duration from now. The caller writes the row back, which stores
 * the shortened lockout.
 */
async function lockTries(clock: Clock, { signInAttempts }: Stores, key: TriesKey): Promise<LockedTries> {
  const now = clock.now().getTime()
  const expiresAt = at(now + lockMilliseconds)
  const stored = await signInAttempts.lock({
    ...key,
    failures: 0,
    wrongCodes: 0,
    lockedUntil: null,
    expiresAt,
  })
  const { lockedUntil } = stored
  const end = lockedUntil === null ? 0 : Math.min(Date.parse(lockedUntil), now + lockAfter(stored.wrongCodes))
  if (end > now) return { tries: { ...stored, lockedUntil: at(end) }, isLocked: true }
  const isOver = Date.parse(stored.expiresAt) <= now
  const reset = isOver ? { failures: 0, wrongCodes: 0 } : {}
  return { tries: { ...stored, ...reset, lockedUntil: null, expiresAt }, isLocked: false }
}

/** Returns the counter after another wrong password. The tenth one in a row locks it for 15 minutes. */
function afterWrongPassword(clock: Clock, { tries, isLocked }: LockedTries): SignInTriesRecord {
  if (isLocked) return tries
  const failures = tries.failures + 1
  if (failures < maxFailures) return withExpiry(clock, { ...tries, failures })
  return withExpiry(clock, {
    ...tries,
    failures: 0,
    lockedUntil: at(clock.now().getTime() + lockMilliseconds),
  })
}

/**
 * Returns the counter after another wrong code. Every tenth one locks it, for twice as long each time, up to
 * a day.
 */
function afterWrongCode(clock: Clock, { tries }: LockedTries): SignInTriesRecord {
  const wrongCodes = tries.wrongCodes + 1
  const isLock = wrongCodes % maxFailures === 0
  const lockedUntil = isLock ? at(clock.now().getTime() + lockAfter(wrongCodes)) : null
  return withExpiry(clock, { ...tries, wrongCodes, lockedUntil })
}

function lockAfter(wrongCodes: number): number {
  const doublings = Math.max(Math.floor(wrongCodes / maxFailures) - 1, 0)
  return Math.min(lockMilliseconds * 2 ** doublings, maxLockMilliseconds)
}

function withExpiry(clock: Clock, tries: SignInTriesRecord): SignInTriesRecord {
  const milliseconds = tries.wrongCodes > 0 ? codesKeptMilliseconds : lockMilliseconds
  return { ...tries, expiresAt: at(clock.now().getTime() + milliseconds) }
}

const at = (milliseconds: number) => new Date(milliseconds).toISOString()

/** Runs work after the response. Otherwise, the response time would reveal information. */
interface AfterAnswer {
  /** Starts the work after the response was sent. Failures are logged. */
  run(work: () => Promise<void>): void
  /** Settles when all work that was started so far has ended. */
  settled(): Promise<void>
}

export function makeAfterAnswer(log: Pick<Log, 'error'>): AfterAnswer {
  const running = new Set<Promise<void>>()
  return {
    run(work) {
      const done = new Promise<void>((resolve) => {
        setImmediate(() => {
          work()
            .catch((error: unknown) => log.error({ err: error }, 'a rejected sign-in could not be recorded'))
            .finally(resolve)
        })
      })
      running.add(done)
      void done.then(() => running.delete(done))
    },
    async settled() {
      await Promise.all(running)
    },
  }
}
