import type { Page, PersonSession, PersonSessionListQuery } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import type { Database, Stores } from '../../ports/database.js'
import type { FoundSession, PersonRecord, PersonSessionRecord } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import { notFound } from '../domain-error.js'
import { generateToken, hashToken } from '../new-id.js'
import { readPage } from '../resources/resource.js'
import { type PersonScope, recordForPerson } from './person-scope.js'

export interface SessionSettings {
  /** How long a session stays valid without use. */
  readonly idleDays: number
  /** The maximum duration of a session. */
  readonly days: number
}

export interface SessionDependencies {
  readonly clock: Clock
  readonly settings: SessionSettings
}

const dayMilliseconds = 24 * 60 * 60 * 1000
const lastUsedPrecisionMilliseconds = 60_000
const maxUserAgentCharacters = 300

/** Begins a session. Only this response contains its token. */
export async function beginSession(
  { clock, settings }: SessionDependencies,
  { stores, person, requester }: Omit<PersonScope, 'session'>,
): Promise<{ readonly session: PersonSessionRecord; readonly token: string }> {
  const now = clock.now()
  const token = generateToken()
  const endsAt = new Date(now.getTime() + settings.days * dayMilliseconds).toISOString()
  const session = {
    id: uuid(),
    personId: person.id,
    tokenHash: hashToken(token),
    createdAt: now.toISOString(),
    lastUsedAt: now.toISOString(),
    expiresAt: idleEnd(settings, now, endsAt),
    endsAt,
    ipAddress: requester.ipAddress,
    userAgent: requester.userAgent?.slice(0, maxUserAgentCharacters) ?? null,
    wrongCodes: person.wrongCodes,
    wrongCodesSince: person.wrongCodesSince,
  }
  await stores.people.insertSession(session)
  // This session shows the wrong codes so far to the person. The next session shows later ones.
  if (person.wrongCodes > 0) await stores.people.forgetWrongCodes(person.id)
  return { session, token }
}

function idleEnd({ idleDays }: SessionSettings, now: Date, endsAt: string): string {
  const idleAt = new Date(now.getTime() + idleDays * dayMilliseconds).toISOString()
  return idleAt < endsAt ? idleAt : endsAt
}

/** Returns the session of a token with its person, or null if the token is invalid or expired. */
export async function findSession(
  clock: Clock,
  find: (tokenHash: string) => Promise<FoundSession | null>,
  token: string,
): Promise<FoundSession | null> {
  const found = await find(hashToken(token))
  return found !== null && Date.parse(found.session.expiresAt) > clock.now().getTime() ? found : null
}

/**
 * Records the use of a session and extends it, at most once a minute. If the session was stored while the
 * clock was ahead, it is updated immediately, and expires no later than a new session would.
 */
export async function noteSessionUse(
  { clock, settings }: SessionDependencies,
  database: Pick<Database, 'stores'>,
  { id, lastUsedAt, endsAt }: PersonSessionRecord,
): Promise<void> {
  const now = clock.now()
  if (Math.abs(now.getTime() - Date.parse(lastUsedAt)) < lastUsedPrecisionMilliseconds) return
  const latestEnd = new Date(now.getTime() + settings.days * dayMilliseconds).toISOString()
  const end = endsAt < latestEnd ? endsAt : latestEnd
  const use = { at: now.toISOString(), expiresAt: idleEnd(settings, now, end), endsAt: end }
  await database.stores.people.touchSession(id, use)
}

/**
 * Shortens sessions that were stored while the clock was ahead, even if they are unused, so that none expires
 * later than a new session would.
 */
export async function shortenSessions(
  { clock, settings }: SessionDependencies,
  { stores }: Pick<Database, 'stores'>,
): Promise<void> {
  const now = clock.now()
  const endsAt = new Date(now.getTime() + settings.days * dayMilliseconds).toISOString()
  await stores.people.shortenSessions({
    at: now.toISOString(),
    expiresAt: idleEnd(settings, now, endsAt),
    endsAt,
  })
}

export async function listSessions(
  clock: Clock,
  { stores, person, session }: PersonScope,
  query: PersonSessionListQuery,
): Promise<Page<PersonSession>> {
  const now = clock.now().toISOString()
  const page = await readPage(query, (wanted) => stores.people.listSessions(person.id, now, wanted))
  return { ...page, items: page.items.map((each) => describeSession(each, session)) }
}

export function describeSession(session: PersonSessionRecord, current: PersonSessionRecord): PersonSession {
  return { ...session, isCurrent: session.id === current.id }
}

/** Ends a session of the person, which may be the current one. */
export async function endSession(clock: Clock, scope: PersonScope, id: string): Promise<undefined> {
  if (!(await scope.stores.people.removeSession(scope.person.id, id))) throw notFound('session')
  const action = id === scope.session.id ? 'person.sign_out' : 'person.session_end'
  await recordForPerson(clock, scope, { action, details: { sessionId: id } })
}

/** Called after a change of credentials. Ends the sessions that were opened with the old credentials. */
export function endOtherSessions(
  stores: Stores,
  person: PersonRecord,
  current: PersonSessionRecord,
): Promise<number> {
  return stores.people.removeOtherSessions(person.id, current.id)
}
