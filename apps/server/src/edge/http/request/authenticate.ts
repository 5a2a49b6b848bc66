import { coversScope, type Operation, roleScopes } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../../../domain/access/api-keys.js'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import { findSession } from '../../../domain/people/person-sessions.js'
import type { ApiKeyRecord } from '../../../ports/people-stores.js'
import { recordRefusal } from '../answer/record-refusal.js'
import { type App, type Services, setCaller } from '../services.js'
import { makeMcpAdmission } from './admit-mcp.js'
import { makePersonAdmission } from './admit-person.js'
import { addressCaller, countForOrganization, countRequest } from './rate-limit.js'
import { callerFor, makeKeyRequirement, makeKeyUseNote, presentedKey } from './require-key.js'

/**
 * Authenticates every API request before its body is read. An invalid key results in 401, a wrong
 * organization or missing scope in 403. If the key is valid, the rejection is recorded in the audit log of
 * its organization. Unauthenticated callers cannot write any rows. A request without a key is authenticated
 * by its session cookie. If a request has both a key and a session cookie, the session is ignored. `/mcp` has
 * its own authentication.
 */
export function registerAuthentication(app: App, services: Services): void {
  const requireKey = makeKeyRequirement(services)
  const people = makePersonAdmission(services)
  const noteKeyUse = makeKeyUseNote(services)
  const admitToMcp = makeMcpAdmission(services, { requireKey, noteKeyUse })
  app.addHook('onRequest', async (request, reply) => {
    const { operation, personOperation, isMcp } = request.routeOptions.config
    if (isMcp) return admitToMcp(request, reply)
    const text = presentedKey(request)
    const hasKey = text !== ''
    if (personOperation) {
      if (hasKey && personOperation.caller === 'person') {
        await countUnauthenticated(services, request, reply)
        throw userRequired()
      }
      return people.admitOwnCall(personOperation, request, reply)
    }
    if (!operation) return countUnauthenticated(services, request, reply)
    if (!hasKey && services.sessionCookie.read(request) !== null)
      return people.toOrganization(operation, request, reply)
    const key = await requireKey(request, reply, { text, header: 'X-Api-Key', operation })
    await countRequest(services, reply, `key:${key.id}`)
    await countForOrganization(services, reply, key.organizationId)
    const caller = callerFor(services, key, request)
    const refusal = organizationRefusal(key, request) ?? scopeRefusal(key, operation)
    if (refusal !== null) {
      await recordRefusal(services, caller, { operation, detail: refusal })
      throw new DomainError('Forbidden', refusal)
    }
    setCaller(request, caller)
    noteKeyUse(key, request)
  })
}

function userRequired(): DomainError {
  return new DomainError('Forbidden', 'This operation requires a signed-in user. API keys cannot call it.')
}

/**
 * Routes outside the API are counted per IP address, except those that machines request all the time and those that
 * count their requests themselves.
 */
async function countUnauthenticated(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { isUncounted, countsItself } = request.routeOptions.config
  if (isUncounted || countsItself) return
  await countRequest(services, reply, addressCaller(services.clientAddress(request.raw)))
}

function organizationRefusal(key: ApiKeyRecord, request: FastifyRequest): string | null {
  const organizationId = request.headers['x-org-id']
  if (typeof organizationId !== 'string' || organizationId === '')
    return 'X-Org-Id is required. Send the id of your organization.'
  return organizationId.toLowerCase() === key.organizationId
    ? null
    : 'The key does not belong to the organization in X-Org-Id.'
}

function scopeRefusal(key: ApiKeyRecord, operation: Operation): string | null {
  const { scope } = operation
  return scope === null || coversScope(key.scopes, scope) ? null : `The key lacks the scope ${scope}.`
}

/**
 * Whether the caller of a streaming response could make the same call again with the same rights. Looks up
 * the current key or session. The lookup does not count as a use, so that an open page does not keep its user
 * signed in.
 */
export async function isStillAdmitted(
  { clock, database, sessionCookie }: Services,
  caller: Caller,
  request: FastifyRequest,
): Promise<boolean> {
  const { organizationId } = caller
  const { stores } = database.ownedBy({ organizationId, kind: 'call' })
  const key = presentedKey(request)
  if (key !== '') {
    const found = await authenticate((prefix) => stores.apiKeys.findByPrefix(prefix), clock, key)
    return found.ok && isSame(found.key.scopes, caller.scopes)
  }
  const token = sessionCookie.read(request) ?? ''
  const found = await findSession(clock, (hash) => stores.people.findSession(hash, organizationId), token)
  const role = found?.member?.role
  return role !== undefined && role === caller.role && isSame(roleScopes[role], caller.scopes)
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join()
