import { type EndUserFacts, makeEndUserFacts } from '../domain/end-users/end-user-facts.js'
import { type EndUsers, makeEndUsers } from '../domain/end-users/end-users.js'
import type { Clock } from '../ports/time.js'

interface ComposedEndUsers {
  readonly endUsers: EndUsers
  readonly endUserFacts: EndUserFacts
}

/** Composes end users and what agents remember about them. */
export function composeEndUsers(options: { readonly clock: Clock }): ComposedEndUsers {
  return { endUsers: makeEndUsers(options), endUserFacts: makeEndUserFacts(options) }
}
