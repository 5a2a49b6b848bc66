import { coversScope, type Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate, noteUse } from '../../../domain/access/authenticate.js'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { ApiKeyRecord } from '../../../ports/api-key-store.js'
import { recordRefusal } from '../answer/record-refusal.js'
import { type App, type Services, setCaller } from '../services.js'
import { addressCaller, countRequest } from './rate-limit.js'

const keyRefusals = {
  missing: 'Send your key in the X-Api-Key header.',
  unknown: 'The key in X-Api-Key is not known.',
  expired: 'The key in X-Api-Key has expired. Make a new one.',
  deleted: 'The key in X-Api-Key was deleted.',
} as const

/**
 * The door to every route of the API, before a body is read: the key (401), the organization (403), the scope (403).
 * Refusals of a known key go to its organization's audit log; a stranger can write no rows.
 */
export function registerAuthentication(app: App, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    const operation = request.routeOptions.config.operation
    if (!operation) return countStranger(services, request, reply)
    const key = await requireKey(services, request, reply)
    await countRequest(services, reply, `key:${key.id}`)
    const caller = callerFor(services, key, request)
    const refusal = organizationRefusal(key, request) ?? scopeRefusal(key, operation)
    if (refusal !== null) {
      await recordRefusal(services, caller, { operation, detail: refusal })
      throw new DomainError('Forbidden', refusal)
    }
    setCaller(request, caller)
    noteUse(services.database, services.clock, key).catch((error) =>
      request.log.warn({ err: error }, 'key use not noted'),
    )
  })
}

/** Routes outside the API count by address, except those that machines ask all the time. */
async function countStranger(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.routeOptions.config.isUncounted) return
  await countRequest(services, reply, addressCaller(services.clientAddress(request.raw)))
}

async function requireKey(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ApiKeyRecord> {
  const presented = request.headers['x-api-key']
  const result = await authenticate(
    services.database,
    services.clock,
    typeof presented === 'string' ? presented : undefined,
  )
  if (result.ok) return result.key
  const address = services.clientAddress(request.raw)
  await countRequest(services, reply, addressCaller(address))
  services.metrics.keyRefused(result.reason)
  request.log.info({ reason: result.reason, ip: address }, 'key refused')
  const operation = request.routeOptions.config.operation
  const detail = keyRefusals[result.reason]
  if (result.key !== null && operation)
    await recordRefusal(services, callerFor(services, result.key, request), { operation, detail })
  throw new DomainError('Unauthenticated', detail)
}

function callerFor(services: Services, key: ApiKeyRecord, request: FastifyRequest): Caller {
  return {
    organizationId: key.organizationId,
    actor: { type: 'api_key', id: key.id, name: key.name },
    scopes: key.scopes,
    expiresAt: key.expiresAt,
    ipAddress: services.clientAddress(request.raw),
    requestId: request.id,
  }
}

function organizationRefusal(key: ApiKeyRecord, request: FastifyRequest): string | null {
  const organizationId = request.headers['x-org-id']
  if (typeof organizationId !== 'string' || organizationId === '')
    return "Send your organization's id in the X-Org-Id header."
  return organizationId.toLowerCase() === key.organizationId
    ? null
    : 'The key does not belong to the organization in X-Org-Id.'
}

function scopeRefusal(key: ApiKeyRecord, operation: Operation): string | null {
  return coversScope(key.scopes, operation.scope) ? null : `The key lacks the scope ${operation.scope}.`
}
