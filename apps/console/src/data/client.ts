import { Parley } from '@parley/sdk'

/** Calls as the person who is signed in: the browser sends the cookie, which no script can read. */
export function makeClient(organizationId?: string): Parley {
  return new Parley({
    credentials: 'same-origin',
    maxRetries: 1,
    ...(organizationId !== undefined && { organizationId }),
  })
}
