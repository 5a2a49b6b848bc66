import { createHash } from 'node:crypto'
import type { Clock } from '../../ports/clock.js'
import type { Stores } from '../../ports/database.js'
import type { SignInTriesRecord } from '../../ports/sign-in-tries-store.js'

const minutes = 60_000
const days = 24 * 60 * minutes
const maxFailures = 10
const lockMilliseconds = 15 * minutes
const maxLockMilliseconds = days
/** An owner who signs in from known browsers alone never resets the count of strangers, so it ends after this time. */
const codesKeptMilliseconds = 30 * days

/** Names a counter of wrong tries. */
export interface TriesKey {
  readonly key: string
  /** The person whose browser or session it is; null for an address, whose tries may be those of strangers. */
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
export interface LockedTries {
  readonly tries: SignInTriesRecord
  readonly isLocked: boolean
}

/**
 * Locks the row of a counter. A lock that lies further ahead than its rule allows was written while the clock was wrong,
 * and ends within its rule from now. The caller writes the row back, so the shorter lock is kept.
 */
export async function lockTries(clock: Clock, { signInTries }: Stores, key: TriesKey): Promise<LockedTries> {
  const now = clock.now().getTime()
  const expiresAt = at(now + lockMilliseconds)
  const stored = await signInTries.lock({ ...key, failures: 0, wrongCodes: 0, lockedUntil: null, expiresAt })
  const { lockedUntil } = stored
  const end = lockedUntil === null ? 0 : Math.min(Date.parse(lockedUntil), now + lockAfter(stored.wrongCodes))
  if (end > now) return { tries: { ...stored, lockedUntil: at(end) }, isLocked: true }
  const isOver = Date.parse(stored.expiresAt) <= now
  const kept = isOver ? { failures: 0, wrongCodes: 0 } : {}
  return { tries: { ...stored, ...kept, lockedUntil: null, expiresAt }, isLocked: false }
}

/** The counter after one more wrong password: the tenth in a row locks for 15 minutes. */
export function afterWrongPassword(clock: Clock, { tries, isLocked }: LockedTries): SignInTriesRecord {
  if (isLocked) return tries
  const failures = tries.failures + 1
  if (failures < maxFailures) return kept(clock, { ...tries, failures })
  return kept(clock, { ...tries, failures: 0, lockedUntil: at(clock.now().getTime() + lockMilliseconds) })
}

/** The counter after one more wrong code: each tenth locks, twice as long each time, for a day at most. */
export function afterWrongCode(clock: Clock, { tries }: LockedTries): SignInTriesRecord {
  const wrongCodes = tries.wrongCodes + 1
  const isLock = wrongCodes % maxFailures === 0
  const lockedUntil = isLock ? at(clock.now().getTime() + lockAfter(wrongCodes)) : null
  return kept(clock, { ...tries, wrongCodes, lockedUntil })
}

function lockAfter(wrongCodes: number): number {
  const doublings = Math.max(Math.floor(wrongCodes / maxFailures) - 1, 0)
  return Math.min(lockMilliseconds * 2 ** doublings, maxLockMilliseconds)
}

function kept(clock: Clock, tries: SignInTriesRecord): SignInTriesRecord {
  const milliseconds = tries.wrongCodes > 0 ? codesKeptMilliseconds : lockMilliseconds
  return { ...tries, expiresAt: at(clock.now().getTime() + milliseconds) }
}

const at = (milliseconds: number) => new Date(milliseconds).toISOString()
