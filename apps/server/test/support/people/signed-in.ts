import type { RoleName } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { makeArgon2Passwords } from '#server/adapters/passwords/argon2-passwords.js'
import { systemClock } from '#server/adapters/system/clock.js'
import { systemTimers } from '#server/adapters/system/timers.js'
import { beginSession } from '#server/domain/people/person-sessions.js'
import { newResource } from '#server/domain/resources/resource.js'
import type { Stores } from '#server/ports/database.js'
import type { PersonRecord } from '#server/ports/people-stores.js'
import type { Clock } from '#server/ports/time.js'
import { type RawAnswer, send } from '../http/send.js'
import type { RunningService } from '../start-service.js'

export const password = 'a long sentence to remember'
const requester = { ipAddress: '127.0.0.1', userAgent: 'Test', requestId: null, browser: null }

/** Hashing is slow, so all people of the tests share one hash. */
let passwordHash: Promise<string> | undefined

async function hashOnce(): Promise<string> {
  const outcome = await makeArgon2Passwords(systemTimers).hash('tests', password)
  if (!outcome.ok) throw new Error('The password was not hashed.')
  return outcome.value
}

export async function addPerson(stores: Stores, fields: Partial<PersonRecord> = {}): Promise<PersonRecord> {
  passwordHash ??= hashOnce()
  const now = systemClock.now().toISOString()
  const person = {
    ...{ id: uuid(), createdAt: now, updatedAt: now, email: `${uuid()}@example.com`, name: 'Kim' },
    passwordHash: await passwordHash,
    ...{ sealedTotp: null, pendingTotp: null, lastTotpStep: null, recoveryHashes: [] },
    ...{ provenAt: null, homeOrganizationId: null, wrongCodes: 0, wrongCodesSince: null },
    ...fields,
  }
  await stores.people.insert(person)
  return person
}

/** Makes a person a member. Returns the member's id. */
export async function addMember(
  stores: Stores,
  { organizationId, personId, role }: { organizationId: string; personId: string; role: RoleName },
): Promise<string> {
  const member = { ...newResource(systemClock, organizationId), personId, role }
  await stores.members.insert(member)
  return member.id
}

export interface PersonCall {
  readonly body?: unknown
  /** Headers with the value undefined are omitted. */
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly text?: string
}

/** A person with a browser, signed in or not. */
export interface Visitor {
  /** Calls the API as a page of the service does. */
  call(method: string, path: string, options?: PersonCall): Promise<RawAnswer>
  /** The cookie header, or an empty string if there is no cookie. */
  cookie: string
}

export function makeVisitor({
  url,
  organizationId,
}: Pick<RunningService, 'url' | 'organizationId'>): Visitor {
  const visitor: Visitor = {
    cookie: '',
    async call(method, path, { body, headers = {}, text } = {}) {
      const all = {
        origin: url,
        'x-org-id': organizationId,
        cookie: visitor.cookie || undefined,
        'content-type': body === undefined ? undefined : 'application/json',
        ...headers,
      }
      const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const answer = await send(url, {
        method,
        path,
        headers: Object.fromEntries(sent),
        ...(content !== undefined && { body: content }),
      })
      const [set] = answer.headers.getSetCookie()
      if (set !== undefined) visitor.cookie = set.split(';')[0] ?? ''
      return answer
    },
  }
  return visitor
}

export interface SignedInPerson extends Visitor {
  readonly person: PersonRecord
  readonly memberId: string
}

/** Creates a signed-in person with this role in the first organization, without hashing a password. */
export async function signedIn(
  running: RunningService,
  role: RoleName,
  clock: Clock = systemClock,
  fields: Partial<PersonRecord> = {},
): Promise<SignedInPerson> {
  const { stores } = running.service.database
  const person = await addPerson(stores, { name: `An ${role}`, ...fields })
  const memberId = await addMember(stores, {
    ...{ organizationId: running.organizationId, personId: person.id, role },
  })
  const settings = { idleDays: 7, days: 30 }
  const { token } = await beginSession({ clock, settings }, { stores, person, requester })
  return Object.assign(makeVisitor(running), { person, memberId, cookie: `parley=${token}` })
}
