import { roleScopes } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { authenticate } from '../../../domain/access/api-keys.js'
import type { Caller } from '../../../domain/caller-scope.js'
import { findSession } from '../../../domain/people/person-sessions.js'
import type { Services } from '../services.js'
import { presentedKey } from './require-key.js'

/**
 * Whether the caller of an answer that goes on could make the same call again, with the same rights: the key or session
 * is looked up as it is now. It does not count as a use, so that a page which is only left open is signed out in time.
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
