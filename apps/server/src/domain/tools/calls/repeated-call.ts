import type { Database } from '../../../ports/database.js'
import type { Log } from '../../../ports/log.js'
import { canonicalJson } from '../../canonical-json.js'

export interface CallInConversation {
  readonly organizationId: string
  readonly conversationId: string
  readonly functionName: string
  readonly argumentsText: string
}

/**
 * Whether a call repeats one of its conversation whose outcome is unknown: the same tool with the same arguments. What it
 * did may have been done, so a person is asked before it is done again. Null where it cannot be found out.
 */
export type RepetitionCheck = (call: CallInConversation) => Promise<boolean | null>

export function makeRepetitionCheck({
  database,
  log,
}: {
  readonly database: Database
  readonly log: Log
}): RepetitionCheck {
  return async ({ organizationId, conversationId, functionName, argumentsText }) => {
    const { conversations } = database.ownedBy({ organizationId, kind: 'log' }).stores
    try {
      const unknown = await conversations.unknownCalls(conversationId, functionName)
      return unknown.some((given) => oneSpelling(given) === oneSpelling(argumentsText))
    } catch (error) {
      log.warn({ err: error, conversationId }, 'whether a call is repeated could not be found out')
      return null
    }
  }
}

function oneSpelling(argumentsText: string): string {
  try {
    return canonicalJson(JSON.parse(argumentsText || '{}'))
  } catch {
    return argumentsText
  }
}
