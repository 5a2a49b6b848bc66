import { coversScope, type Operation, type PersonOperation, roleScopes } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { singleFlight } from '../../../concurrency/single-flight.js'
import { DomainError } from '../../../domain/domain-error.js'
import { hashToken } from '../../../domain/new-id.js'
import {
  openBrowser,
  type PersonScope,
  personCaller,
  type Requester,
  recordForPerson,
} from '../../../domain/people/person-scope.js'
import { findSession } from '../../../domain/people/person-sessions.js'
import type { FoundSession } from '../../../ports/people-stores.js'
import { recordRefusal } from '../answer/record-refusal.js'
import { type Services, setCaller, setSignedIn } from '../services.js'
import { crossSiteRefusal } from './own-origin.js'
import {
  addressCaller,
  countForOrganization,
  countGuess,
  countRequest,
  RecentEntries,
  takeBackGuess,
} from './rate-limit.js'

/** How requests that come with a session instead of a key are let in. */
export interface PersonAdmission {
  /** To a call that keys can make too: the organization and the role decide (403). */
  toOrganization(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** To a call that people make for themselves. */
  toOneself(operation: PersonOperation, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function makePersonAdmission(services: Services): PersonAdmission {
  const { clock, database, people, sessionCookie } = services
  const requireSession = makeSessionRequirement(services)
  /** Of a hundred requests at once, which have all read the same row, one notes the session's use. */
  const beingNoted = new Set<string>()

  function noteUse({ session }: FoundSession, request: FastifyRequest): void {
    if (beingNoted.has(session.id)) return
    beingNoted.add(session.id)
    people
      .noteSessionUse(database.ownedBy({ organizationId: session.personId, kind: 'call' }), session)
      .catch((error) => request.log.warn({ err: error }, 'use of a session not noted'))
      .finally(() => beingNoted.delete(session.id))
  }

  /** The log of every organization that the person belongs to has it: they were let into none. */
  function recordRefusedPerson(
    { person }: FoundSession,
    request: FastifyRequest,
    details: { readonly operation: string; readonly detail: string },
  ): Promise<void> {
    const { stores } = database.ownedBy({ organizationId: person.id, kind: 'call' })
    const scope = { stores, person, requester: requesterOf(services, request) }
    return recordForPerson(clock, scope, { action: 'access.refused', outcome: 'refused', details })
  }

  return {
    async toOrganization(operation, request, reply) {
      const token = sessionCookie.read(request) ?? ''
      const organizationId = organizationOf(request)
      const found = await requireSession(request, reply, { token, organizationId })
      const { person, member } = found
      await countRequest(services, reply, `person:${person.id}`)
      const { operationId } = operation
      if (member === null) {
        const detail =
          organizationId === null
            ? "Send the organization's id in the X-Org-Id header."
            : 'You are no member of the organization in X-Org-Id.'
        await recordRefusedPerson(found, request, { operation: operationId, detail })
        throw new DomainError('Forbidden', detail)
      }
      await countForOrganization(services, reply, member.organizationId)
      const requester = requesterOf(services, request)
      const caller = personCaller({ person, requester }, { ...member, scopes: roleScopes[member.role] })
      const refusal = refusalOf(operation, request, member.role)
      if (refusal !== null) {
        await recordRefusal(services, caller, { operation, detail: refusal.detail })
        throw refusal
      }
      setCaller(request, caller)
      noteUse(found, request)
    },

    async toOneself(operation, request, reply) {
      const crossSite = crossSiteRefusal(request, operation, services.publicUrl())
      const token = sessionCookie.read(request)
      const isAnyones = operation.caller === 'anyone'
      if (isAnyones) {
        await countGuess(services, request, reply)
        if (crossSite !== null) throw new DomainError('CrossSiteRequest', crossSite)
      }
      if (token === null) {
        if (isAnyones) return
        await countRequest(services, reply, addressCaller(services.clientAddress(request.raw)))
        throw new DomainError('Unauthenticated', 'Nobody is signed in. POST /api/v1/SignIn does that.')
      }
      const presented = { token, organizationId: null }
      const found = await requireSession(request, reply, presented).catch((error: unknown) => {
        // A session that is over does not keep anybody from signing in.
        if (isAnyones && error instanceof DomainError && error.code === 'Unauthenticated') return null
        throw error
      })
      if (found === null) return
      if (!isAnyones) await countRequest(services, reply, `person:${found.person.id}`)
      if (crossSite !== null) {
        await recordRefusedPerson(found, request, { operation: operation.operationId, detail: crossSite })
        throw new DomainError('CrossSiteRequest', crossSite)
      }
      setSignedIn(request, found)
      noteUse(found, request)
    },
  }

  function refusalOf(
    operation: Operation,
    request: FastifyRequest,
    role: keyof typeof roleScopes,
  ): DomainError | null {
    const crossSite = crossSiteRefusal(request, operation, services.publicUrl())
    if (crossSite !== null) return new DomainError('CrossSiteRequest', crossSite)
    const { scope } = operation
    if (scope === null || coversScope(roleScopes[role], scope)) return null
    return new DomainError('Forbidden', `The role ${role} lacks the scope ${scope}.`)
  }
}

/** The organization that is asked for; null where it is none that could be. */
function organizationOf({ headers }: FastifyRequest): string | null {
  const parsed = z.uuid().toLowerCase().safeParse(headers['x-org-id'])
  return parsed.success ? parsed.data : null
}

/** The scope of a person's own call, but for its stores. */
export type StorelessPersonScope = Omit<PersonScope, 'stores'>

/** A session in use is taken for good so long before it counts as a guess again. It is looked up all the same. */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const

export type SessionRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  presented: { readonly token: string; readonly organizationId: string | null },
) => Promise<FoundSession>

/**
 * Finds the session of a request with whose it is and what they are in the organization, or refuses it. Those that
 * nobody has seen at work count by address before the database is asked, as keys do.
 */
function makeSessionRequirement(services: Services): SessionRequirement {
  const { clock, database, clientAddress } = services
  const sessionsInUse = new RecentEntries(clock, inUse)
  const read = singleFlight((wanted: string) => {
    const [tokenHash = '', organizationId] = wanted.split(' ')
    return database.stores.people.findSession(tokenHash, organizationId || null)
  })

  return async (request, reply, { token, organizationId }) => {
    const tokenHash = hashToken(token)
    const isGuess = !sessionsInUse.has(tokenHash)
    if (isGuess) await countGuess(services, request, reply)
    const found = await findSession(clock, () => read(`${tokenHash} ${organizationId ?? ''}`), token)
    if (found === null) {
      sessionsInUse.forget(tokenHash)
      await countRequest(services, reply, addressCaller(clientAddress(request.raw)))
      request.log.info({ ip: clientAddress(request.raw) }, 'session refused')
      throw new DomainError(
        'Unauthenticated',
        'Nobody is signed in with this session any more. Sign in again.',
      )
    }
    sessionsInUse.note(tokenHash)
    if (isGuess) await takeBackGuess(services, request)
    return found
  }
}

/** Where a request comes from. */
export function requesterOf({ clientAddress }: Services, request: FastifyRequest): Requester {
  return {
    ipAddress: clientAddress(request.raw),
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
    browser: null,
  }
}

/** The same for a request that may sign in, with the people who have signed in from this browser. */
export function visitorOf(services: Services, request: FastifyRequest): Requester {
  const browser = openBrowser(services.cipher, services.browserCookie.read(request))
  return { ...requesterOf(services, request), browser }
}
