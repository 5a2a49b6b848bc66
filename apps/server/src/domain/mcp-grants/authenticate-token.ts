import { roleScopes } from '@parley/contract'
import type { FoundMcpToken } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import { hashToken } from '../new-id.js'
import { personCaller, type Requester } from '../people/person-scope.js'
import { coveredScopes } from './access-request.js'

const lastUsedPrecisionMilliseconds = 60_000

/** A token that works now: what it stands for, and whom it lets in. */
export interface GoodToken {
  readonly found: FoundMcpToken
  readonly caller: Caller
}

/**
 * Whom a presented token lets in, as everything is now: a person who has left the organization lets nobody in any more,
 * and one who may do less lets clients do less. Null where it is no token, or none any more.
 */
export async function authenticateToken(
  clock: Clock,
  find: (hash: string) => Promise<FoundMcpToken | null>,
  { token, requester }: { readonly token: string; readonly requester: Requester },
): Promise<GoodToken | null> {
  const found = await find(hashToken(token))
  if (found === null || found.member === null) return null
  if (Date.parse(found.token.expiresAt) <= clock.now().getTime()) return null
  const { person, grant, member } = found
  const scopes = coveredScopes(grant.scopes, roleScopes[member.role])
  const caller: Caller = {
    ...personCaller({ person, requester }, { ...member, scopes }),
    expiresAt: found.token.expiresAt,
    channel: 'mcp',
    clientName: grant.clientName,
  }
  return { found, caller }
}

/** Whether its use is worth noting again: it is known to the minute. */
export function isUseNew(clock: Clock, { grant: { lastUsedAt } }: FoundMcpToken): boolean {
  return clock.now().getTime() - Date.parse(lastUsedAt ?? '1970') >= lastUsedPrecisionMilliseconds
}
