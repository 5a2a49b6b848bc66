import { roleScopes } from '@parley/contract'
import type { FoundMcpToken } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import { hashToken } from '../new-id.js'
import { personCaller, type Requester } from '../people/person-scope.js'
import { coveredScopes } from './access-request.js'

const lastUsedPrecisionMilliseconds = 60_000

/** A valid token, its grant and its caller. */
export interface GoodToken {
  readonly found: FoundMcpToken
  readonly caller: Caller
}

/**
 * Returns the caller of a token with the person's current rights, or null if the token is invalid or expired.
 * If the person's rights are reduced, the client's rights are reduced as well. If the person leaves the
 * organization, the client loses access.
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

/** Returns whether the last use must be updated. It is stored with a precision of one minute. */
export function isUseNew(clock: Clock, { grant: { lastUsedAt } }: FoundMcpToken): boolean {
  return clock.now().getTime() - Date.parse(lastUsedAt ?? '1970') >= lastUsedPrecisionMilliseconds
}
