import type { ClientRecords, SessionEntry } from './client-records.js'
import { type ExternalRecords, type ProviderConnectionEntry, parseWords } from './external-records.js'
import type { StoredRecords } from './stored-records.js'
import type { Violation } from './violation.js'

/** A slow provider can hold back words for this long. Words shortly before the end may never have left it. */
const lastWordsMilliseconds = 12_000

/**
 * Checks that the words of a session are stored even if no event announced them, provided that its instance
 * survived the session.
 */
export function checkTranscripts(
  load: ClientRecords,
  outside: ExternalRecords,
  stored: StoredRecords,
): readonly Violation[] {
  const sessions = new Map(load.sessions.map((session) => [session.key, session]))
  return outside.connections.flatMap((connection) => {
    const session = sessions.get(connection.key)
    return session === undefined || !wasClosedInOrder(session, stored)
      ? []
      : judgeConnection(connection, session, stored)
  })
}

function wasClosedInOrder({ key }: SessionEntry, { sessions }: StoredRecords): boolean {
  const own = sessions.find((each) => each.key === key)
  // A lost instance takes unwritten words with it. An instance that holds back too many unwritten words ends the
  // session with `internal`.
  return own !== undefined && own.endReason !== 'instance_lost' && own.endReason !== 'internal'
}

function judgeConnection(
  { key, words, closedAt }: ProviderConnectionEntry,
  { conversationId }: SessionEntry,
  { messages }: StoredRecords,
): readonly Violation[] {
  const kept = new Set(
    (messages.get(conversationId) ?? []).flatMap(({ content }) => {
      const found = parseWords(content)
      return found?.key === key ? [found.number] : []
    }),
  )
  return words
    .filter(({ number, at }) => !kept.has(number) && (closedAt ?? 0) - at > lastWordsMilliseconds)
    .map(({ number, role, at }) => ({
      invariant: 'turns',
      what: `${key}: the words #${number} of the ${role} are not stored`,
      at,
      ids: [conversationId],
    }))
}
