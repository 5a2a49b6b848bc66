import { type EndUserFacts, makeEndUserFacts } from '../domain/end-users/end-user-facts.js'
import { type EndUsers, makeEndUsers } from '../domain/end-users/end-users.js'
import {
  type ConversationRetentions,
  makeConversationRetention,
} from '../domain/retention/conversation-retention.js'
import type { Clock } from '../ports/time.js'

interface ComposedEndUsers {
  readonly endUsers: EndUsers
  readonly endUserFacts: EndUserFacts
  readonly conversationRetention: ConversationRetentions
}

/** Composes end users, what agents remember about them, and how long their conversations are kept. */
export function composeEndUsers(options: { readonly clock: Clock }): ComposedEndUsers {
  return {
    endUsers: makeEndUsers(options),
    endUserFacts: makeEndUserFacts(options),
    conversationRetention: makeConversationRetention(options),
  }
}
