import type { Message } from '@parley/contract'
import type { BrokenPromise } from './broken-promise.js'
import type { LoadBooks, SessionEntry } from './load-books.js'
import { parseWords } from './outside-books.js'
import type { StoredBooks } from './stored-books.js'

/** Every announced turn is stored once, as it was said, and in the order it was said. */
export function judgeVoice(load: LoadBooks, stored: StoredBooks): readonly BrokenPromise[] {
  const broken: BrokenPromise[] = []
  for (const session of load.sessions) {
    const messages = stored.messages.get(session.conversationId) ?? []
    broken.push(...judgeAnnounced(session, messages))
  }
  for (const [conversationId, messages] of stored.messages) {
    const sessions = load.sessions.filter((session) => session.conversationId === conversationId)
    broken.push(...judgeWords(conversationId, messages), ...judgeSuccession(sessions, messages))
  }
  return broken
}

function judgeAnnounced(
  { key, conversationId, turns }: SessionEntry,
  messages: readonly Message[],
): readonly BrokenPromise[] {
  return turns.flatMap(({ messageId, role, content, at }): BrokenPromise[] => {
    const broken = (what: string): BrokenPromise[] => [
      { promise: 'turns', what: `${key}: ${what}`, at, ids: [messageId, conversationId] },
    ]
    const found = messages.filter(({ id }) => id === messageId)
    const [message] = found
    if (message === undefined)
      return broken(`the ${role}'s turn ${messageId} was announced and is not stored`)
    if (found.length > 1) return broken(`the turn ${messageId} stands there ${found.length} times`)
    if (message.role !== role)
      return broken(`the turn ${messageId} is the ${message.role}'s, not the ${role}'s`)
    if (content !== null && message.content !== content)
      return broken(`“${content}” was announced, and “${message.content}” is stored`)
    if (parseWords(message.content)?.key !== key) return broken(`“${message.content}” was said elsewhere`)
    return []
  })
}

/** The same words are never stored twice, and those of one session stand in the order they were spoken. */
function judgeWords(conversationId: string, messages: readonly Message[]): readonly BrokenPromise[] {
  const last = new Map<string, number>()
  const seen = new Set<string>()
  const broken: BrokenPromise[] = []
  for (const { id, role, content, createdAt } of messages) {
    const words = role === 'user' || role === 'assistant' ? parseWords(content) : null
    if (words === null) continue
    const context = { at: Date.parse(createdAt), ids: [id, conversationId] }
    const name = `${words.key} #${words.number}`
    if (seen.has(name)) broken.push({ promise: 'turns', what: `“${content}” is stored twice`, ...context })
    seen.add(name)
    const before = last.get(words.key) ?? 0
    if (words.number < before)
      broken.push({ promise: 'order', what: `“${content}” stands behind #${before}`, ...context })
    last.set(words.key, Math.max(before, words.number))
  }
  return broken
}

/** What was announced before a later session was opened stands before all that was said in it. */
function judgeSuccession(
  sessions: readonly SessionEntry[],
  messages: readonly Message[],
): readonly BrokenPromise[] {
  const places = new Map(messages.map(({ id }, index) => [id, index]))
  const placesOf = ({ turns }: SessionEntry, until = Number.POSITIVE_INFINITY) =>
    turns.filter(({ at }) => at < until).flatMap(({ messageId }) => places.get(messageId) ?? [])
  const ordered = sessions.toSorted((one, other) => one.openedAt - other.openedAt)
  return ordered.slice(1).flatMap((later, index): BrokenPromise[] => {
    const earlier = ordered[index]
    if (earlier === undefined) return []
    const [end, start] = [Math.max(...placesOf(earlier, later.openedAt)), Math.min(...placesOf(later))]
    if (!(end > start)) return []
    const what = `words of ${later.key} stand before words of ${earlier.key}, which was over`
    return [{ promise: 'order', what, at: later.openedAt, ids: [later.conversationId] }]
  })
}
