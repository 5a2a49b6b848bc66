import type { BrokenPromise } from './broken-promise.js'
import type { LoadBooks, SessionEntry } from './load-books.js'
import { type OutsideBooks, type ProviderConnectionEntry, parseWords } from './outside-books.js'
import type { StoredBooks } from './stored-books.js'

/** What is said shortly before the end may never have left: a provider that is slow holds it back for so long. */
const lastWordsMilliseconds = 12_000

/** What was said in a session whose instance lived to see its end is stored, whether anybody was told of it or not. */
export function judgeSaid(
  load: LoadBooks,
  outside: OutsideBooks,
  stored: StoredBooks,
): readonly BrokenPromise[] {
  const sessions = new Map(load.sessions.map((session) => [session.key, session]))
  return outside.connections.flatMap((connection) => {
    const session = sessions.get(connection.key)
    return session === undefined || !wasClosedInOrder(session, stored)
      ? []
      : judgeConnection(connection, session, stored)
  })
}

function wasClosedInOrder({ key }: SessionEntry, { sessions }: StoredBooks): boolean {
  const own = sessions.find((each) => each.key === key)
  // With its instance died what it had not written yet; and more than it may hold back is an end of its own.
  return own !== undefined && own.endReason !== 'instance_lost' && own.endReason !== 'internal'
}

function judgeConnection(
  { key, words, closedAt }: ProviderConnectionEntry,
  { conversationId }: SessionEntry,
  { messages }: StoredBooks,
): readonly BrokenPromise[] {
  const kept = new Set(
    (messages.get(conversationId) ?? []).flatMap(({ content }) => {
      const found = parseWords(content)
      return found?.key === key ? [found.number] : []
    }),
  )
  return words
    .filter(({ number, at }) => !kept.has(number) && (closedAt ?? 0) - at > lastWordsMilliseconds)
    .map(({ number, role, at }) => ({
      ...{ promise: 'turns', what: `${key}: what the ${role} said as #${number} is nowhere`, at },
      ids: [conversationId],
    }))
}
