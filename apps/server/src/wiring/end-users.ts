import { type EndUserFacts, makeEndUserFacts } from '../domain/end-users/end-user-facts.js'
import { type EndUsers, makeEndUsers } from '../domain/end-users/end-users.js'
import { MemoryRuns, type MemoryRunsDependencies } from '../domain/memory/memory-runs.js'
import {
  type ConversationRetentions,
  makeConversationRetention,
} from '../domain/retention/conversation-retention.js'
import { Erasures } from '../domain/retention/erase.js'
import type { Clock } from '../ports/time.js'
import type { ComposedTools } from './tools.js'

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

interface EndUserWorkOptions extends Omit<MemoryRunsDependencies, 'argumentChecker'> {
  readonly tools: ComposedTools
}

/** Composes the background work on end users: what agents remember, and erasures. */
export function composeEndUserWork({ tools, ...options }: EndUserWorkOptions): {
  readonly memory: MemoryRuns
  readonly erasures: Erasures
} {
  const { argumentChecker } = tools.calls
  return { memory: new MemoryRuns({ ...options, argumentChecker }), erasures: new Erasures(options) }
}
