import { coversScope, type Operation, type PersonOperation, roleScopes } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../../../domain/domain-error.js'
import { type PersonScope, personCaller, recordForPerson } from '../../../domain/people/person-scope.js'
import type { FoundSession } from '../../../ports/person-store.js'
import { recordRefusal } from '../answer/record-refusal.js'
import { type Services, setCaller, setSignedIn } from '../services.js'
import { countGuess } from './guesses.js'
import { crossSiteRefusal } from './own-origin.js'
import { addressCaller, countForOrganization, countRequest } from './rate-limit.js'
import { makeSessionRequirement, requesterOf } from './require-session.js'

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
