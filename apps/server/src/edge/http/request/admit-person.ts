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
  countAttempt,
  countForOrganization,
  countRequest,
  RecentEntries,
  revertAttempt,
} from './rate-limit.js'

/** Admits requests with a session instead of an API key. */
export interface PersonAdmission {
  /** Admits a call that API keys can make too. The organization and the role decide (403). */
  toOrganization(operation: Operation, request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Admits a call that people make for themselves. */
  admitOwnCall(operation: PersonOperation, request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function makePersonAdmission(services: Services): PersonAdmission {
  const { clock, database, people, sessionCookie } = services
  const requireSession = makeSessionRequirement(services)
  /** Deduplicates concurrent requests: only one of them records that the session was used. */
  const beingNoted = new Set<string>()

  function noteUse({ session }: FoundSession, request: FastifyRequest): void {
    if (beingNoted.has(session.id)) return
    beingNoted.add(session.id)
    people
      .noteSessionUse(database.ownedBy({ organizationId: session.personId, kind: 'call' }), session)
      .catch((error) => request.log.warn({ err: error }, 'failed to record the use of a session'))
      .finally(() => beingNoted.delete(session.id))
  }

  /**
   * Records the rejection in every organization of the person, because the call did not enter any of them.
   */
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
            ? 'X-Org-Id is required. Send the id of the organization.'
            : 'You are not a member of the organization in X-Org-Id.'
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

    async admitOwnCall(operation, request, reply) {
      const crossSite = crossSiteRefusal(request, operation, services.publicUrl())
      const token = sessionCookie.read(request)
      const isPublic = operation.caller === 'anyone'
      if (isPublic) {
        await countAttempt(services, request, reply)
        if (crossSite !== null) throw new DomainError('CrossSiteRequest', crossSite)
      }
      if (token === null) {
        if (isPublic) return
        await countRequest(services, reply, addressCaller(services.clientAddress(request.raw)))
        throw new DomainError('Unauthenticated', 'Not signed in. Sign in with POST /api/v1/SignIn.')
      }
      const presented = { token, organizationId: null }
      const found = await requireSession(request, reply, presented).catch((error: unknown) => {
        // The error is caught, because an expired session must not prevent a sign-in.
        if (isPublic && error instanceof DomainError && error.code === 'Unauthenticated') return null
        throw error
      })
      if (found === null) return
      if (!isPublic) await countRequest(services, reply, `person:${found.person.id}`)
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

/** Returns the organization in the header, or null if it is missing or invalid. */
function organizationOf({ headers }: FastifyRequest): string | null {
  const parsed = z.uuid().toLowerCase().safeParse(headers['x-org-id'])
  return parsed.success ? parsed.data : null
}

/** The scope of a person's own call, without its stores. */
export type StorelessPersonScope = Omit<PersonScope, 'stores'>

/**
 * For this time after its last use, a session is checked without counting as a failed attempt. It is still
 * looked up for every request.
 */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const

export type SessionRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  presented: { readonly token: string; readonly organizationId: string | null },
) => Promise<FoundSession>

/**
 * Finds the session of a request, with its person and membership, or rejects it. Sessions that were not used
 * recently count per IP address before the database lookup, like API keys.
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
    const countsAsAttempt = !sessionsInUse.has(tokenHash)
    if (countsAsAttempt) await countAttempt(services, request, reply)
    const found = await findSession(clock, () => read(`${tokenHash} ${organizationId ?? ''}`), token)
    if (found === null) {
      sessionsInUse.forget(tokenHash)
      await countRequest(services, reply, addressCaller(clientAddress(request.raw)))
      request.log.info({ ip: clientAddress(request.raw) }, 'session refused')
      throw new DomainError('Unauthenticated', 'This session has ended. Sign in again.')
    }
    sessionsInUse.note(tokenHash)
    if (countsAsAttempt) await revertAttempt(services, request)
    return found
  }
}

/** Returns the origin of a request. */
export function requesterOf({ clientAddress }: Services, request: FastifyRequest): Requester {
  return {
    ipAddress: clientAddress(request.raw),
    userAgent: request.headers['user-agent'] ?? null,
    requestId: request.id,
    browser: null,
  }
}

/** Returns the origin of a request that may sign in, with the people who have signed in from this browser. */
export function visitorOf(services: Services, request: FastifyRequest): Requester {
  const browser = openBrowser(services.cipher, services.browserCookie.read(request))
  return { ...requesterOf(services, request), browser }
}
