import { Parley } from '@parley/sdk'

/** Calls as the signed-in user. The browser sends an HttpOnly cookie. */
export function makeClient(organizationId?: string): Parley {
  return new Parley({
    credentials: 'same-origin',
    maxRetries: 1,
    ...(organizationId !== undefined && { organizationId }),
  })
}
