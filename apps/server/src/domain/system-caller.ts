import { scopes } from '@parley/contract'
import type { Caller } from './caller-scope.js'

/** The service itself, acting on its own account. */
export function systemCaller(organizationId: string): Caller {
  return {
    organizationId,
    actor: { type: 'system', id: null, name: 'Parley' },
    scopes,
    expiresAt: null,
    ipAddress: null,
    requestId: null,
  }
}
