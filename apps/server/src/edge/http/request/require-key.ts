import type { FastifyReply, FastifyRequest } from 'fastify'
import { singleFlight } from '../../../concurrency/single-flight.js'
import {
  type Authentication,
  authenticate,
  hashApiKey,
  noteUse,
  prefixOfApiKey,
} from '../../../domain/access/api-keys.js'
import type { Caller } from '../../../domain/caller-scope.js'
import { DomainError } from '../../../domain/domain-error.js'
import type { ApiKeyRecord } from '../../../ports/people-stores.js'
import { type RefusedCall, recordRefusal } from '../answer/record-refusal.js'
import type { Services } from '../services.js'
import { addressCaller, countAttempt, countRequest, RecentEntries, revertAttempt } from './rate-limit.js'

const keyRefusals = (header: string) => ({
  missing: `Send your API key in the ${header} header.`,
  unknown: `The API key in ${header} is unknown.`,
  expired: `The API key in ${header} has expired. Create a new one.`,
  deleted: `The API key in ${header} was deleted.`,
})

/**
 * For this time after its last use, a key is checked without counting as a failed attempt. It is still looked
 * up for every request.
 */
const inUse = { forMilliseconds: 10 * 60_000, maxEntries: 10_000 } as const
const recordedRefusals = { forMilliseconds: 60_000, maxEntries: 10_000 } as const

/** An API key as a request presents it. */
export interface PresentedKey {
  /** Empty if there is none. */
  readonly text: string
  /** The header that contains the key, or should contain it. */
  readonly header: string
  /** The operation for the audit log. Undefined if the audit log does not record the refusal. */
  readonly operation: RefusedCall['operation'] | undefined
}

export type KeyRequirement = (
  request: FastifyRequest,
  reply: FastifyReply,
  presented: PresentedKey,
) => Promise<ApiKeyRecord>

/**
 * Finds the key of a request, or rejects it. Keys that were not used recently count per IP address before the
 * database lookup. The count is reverted for valid keys, so that only failed attempts consume the limit. A
 * deleted or expired key writes at most one audit record per minute.
 */
export function makeKeyRequirement(services: Services): KeyRequirement {
  const { clock, database, clientAddress } = services
  const keysInUse = new RecentEntries(clock, inUse)
  const recorded = new RecentEntries(clock, recordedRefusals)
  const findKey = singleFlight((prefix: string) => database.stores.apiKeys.findByPrefix(prefix))

  return async (request, reply, presented) => {
    const { text } = presented
    const isKey = prefixOfApiKey(text) !== null
    const hash = isKey ? hashApiKey(text) : ''
    const countsAsAttempt = isKey && !keysInUse.has(hash)
    if (countsAsAttempt) await countAttempt(services, request, reply)
    const result = await authenticate(findKey, clock, text, hash)
    if (!result.ok) throw await refuse(result, presented, { request, reply })
    keysInUse.note(hash)
    if (countsAsAttempt) await revertAttempt(services, request)
    return result.key
  }

  async function refuse(
    { reason, key }: Exclude<Authentication, { ok: true }>,
    { header, operation }: PresentedKey,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<DomainError> {
    const address = clientAddress(request.raw)
    if (key !== null) keysInUse.forget(key.hash)
    await countRequest(services, reply, addressCaller(address))
    services.metrics.keyRefused(reason)
    const known = key === null ? {} : { organizationId: key.organizationId, callerId: key.id }
    request.log.info({ reason, ip: address, ...known }, 'key refused')
    const detail = keyRefusals(header)[reason]
    if (key !== null && operation && !recorded.has(key.id)) {
      recorded.note(key.id)
      await recordRefusal(services, callerFor(services, key, request), { operation, detail })
    }
    return new DomainError('Unauthenticated', detail)
  }
}

/** Returns an empty string if there is none. */
export function presentedKey({ headers }: FastifyRequest): string {
  const presented = headers['x-api-key']
  return typeof presented === 'string' ? presented : ''
}

export function callerFor(services: Services, key: ApiKeyRecord, request: FastifyRequest): Caller {
  return {
    organizationId: key.organizationId,
    actor: { type: 'api_key', id: key.id, name: key.name },
    scopes: key.scopes,
    expiresAt: key.expiresAt,
    ipAddress: services.clientAddress(request.raw),
    requestId: request.id,
  }
}

/** Records the use of a key, in parallel to the request. */
export type KeyUseNote = (key: ApiKeyRecord, request: FastifyRequest) => void

export function makeKeyUseNote({ database, clock }: Services): KeyUseNote {
  /** Deduplicates concurrent requests: only one of them records that the key was used. */
  const beingNoted = new Set<string>()
  return (key, request) => {
    if (beingNoted.has(key.id)) return
    beingNoted.add(key.id)
    noteUse(database, clock, key)
      .catch((error) => request.log.warn({ err: error }, 'failed to record the use of a key'))
      .finally(() => beingNoted.delete(key.id))
  }
}
