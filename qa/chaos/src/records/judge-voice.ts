import type { Message } from '@parley/contract'
import type { ClientRecords, SessionEntry } from './client-records.js'
import { parseWords } from './external-records.js'
import type { StoredRecords } from './stored-records.js'
import type { Violation } from './violation.js'

/** Checks that every announced turn is stored once, with the same words and in the same order. */
export function judgeVoice(load: ClientRecords, stored: StoredRecords): readonly Violation[] {
  const violations: Violation[] = []
  for (const session of load.sessions) {
    const messages = stored.messages.get(session.conversationId) ?? []
    violations.push(...judgeAnnounced(session, messages))
  }
  for (const [conversationId, messages] of stored.messages) {
    const sessions = load.sessions.filter((session) => session.conversationId === conversationId)
    violations.push(...judgeMessages(conversationId, messages), ...judgeSuccession(sessions, messages))
  }
  return violations
}

function judgeAnnounced(
  { key, conversationId, turns }: SessionEntry,
  messages: readonly Message[],
): readonly Violation[] {
  return turns.flatMap(({ messageId, role, content, at }): Violation[] => {
    const violation = (what: string): Violation[] => [
      { invariant: 'turns', what: `${key}: ${what}`, at, ids: [messageId, conversationId] },
    ]
    const found = messages.filter(({ id }) => id === messageId)
    const [message] = found
    if (message === undefined)
      return violation(`the turn ${messageId} of the ${role} was announced but is not stored`)
    if (found.length > 1) return violation(`the turn ${messageId} is stored ${found.length} times`)
    if (message.role !== role)
      return violation(`the turn ${messageId} has the role ${message.role} instead of ${role}`)
    if (content !== null && message.content !== content)
      return violation(`“${content}” was announced, but “${message.content}” is stored`)
    if (parseWords(message.content)?.key !== key)
      return violation(`“${message.content}” belongs to another session`)
    return []
  })
}

/** Checks that no words are stored twice and that the words of a session keep their order. */
function judgeMessages(conversationId: string, messages: readonly Message[]): readonly Violation[] {
  const last = new Map<string, number>()
  const seen = new Set<string>()
  const violations: Violation[] = []
  for (const { id, role, content, createdAt } of messages) {
    const words = role === 'user' || role === 'assistant' ? parseWords(content) : null
    if (words === null) continue
    const context = { at: Date.parse(createdAt), ids: [id, conversationId] }
    const name = `${words.key} #${words.number}`
    if (seen.has(name))
      violations.push({ invariant: 'turns', what: `“${content}” is stored twice`, ...context })
    seen.add(name)
    const before = last.get(words.key) ?? 0
    if (words.number < before)
      violations.push({ invariant: 'order', what: `“${content}” is stored after #${before}`, ...context })
    last.set(words.key, Math.max(before, words.number))
  }
  return violations
}

/**
 * Checks that turns announced before the start of a later session are stored before the turns of that
 * session.
 */
function judgeSuccession(
  sessions: readonly SessionEntry[],
  messages: readonly Message[],
): readonly Violation[] {
  const places = new Map(messages.map(({ id }, index) => [id, index]))
  const placesOf = ({ turns }: SessionEntry, until = Number.POSITIVE_INFINITY) =>
    turns.filter(({ at }) => at < until).flatMap(({ messageId }) => places.get(messageId) ?? [])
  const ordered = sessions.toSorted((one, other) => one.openedAt - other.openedAt)
  return ordered.slice(1).flatMap((later, index): Violation[] => {
    const earlier = ordered[index]
    if (earlier === undefined) return []
    const [end, start] = [Math.max(...placesOf(earlier, later.openedAt)), Math.min(...placesOf(later))]
    if (!(end > start)) return []
    const what = `words of ${later.key} are stored before words of ${earlier.key}, although that session was over`
    return [{ invariant: 'order', what, at: later.openedAt, ids: [later.conversationId] }]
  })
}
