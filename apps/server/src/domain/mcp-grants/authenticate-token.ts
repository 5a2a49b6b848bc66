import { roleScopes } from '@parley/contract'
import type { FoundMcpToken } from '../../ports/people-stores.js'
import type { Clock } from '../../ports/time.js'
import type { Caller } from '../caller-scope.js'
import { hashToken } from '../new-id.js'
import { personCaller, type Requester } from '../people/person-scope.js'
import { coveredScopes } from './access-request.js'

const lastUsedPrecisionMilliseconds = 60_000

/** A valid token with its grant and caller. */
export interface GoodToken {
  readonly found: FoundMcpToken
  readonly caller: Caller
}

/**
 * Returns the caller of a token with the person's current rights, or null if the token is invalid or expired. A person
 * who has left the organization gives clients no access, and a person with fewer rights gives clients fewer rights.
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

/** Returns whether the last use must be stored again. It is stored with a precision of a minute. */
export function isUseNew(clock: Clock, { grant: { lastUsedAt } }: FoundMcpToken): boolean {
  return clock.now().getTime() - Date.parse(lastUsedAt ?? '1970') >= lastUsedPrecisionMilliseconds
}
