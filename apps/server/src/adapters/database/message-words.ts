import { type SQL, sql } from 'drizzle-orm'

/*
 * What messages are found by: the words that users and agents have said, as the index `message_words` keeps them. The
 * same text stands in the index and in what is asked of it, or it would not be used.
 *
 * Marks that the database reads addresses, numbers and tags by become spaces first: by its own rules the words inside
 * `anna@example.com` or `sea-view` would be found by nobody who has typed half of them. The organization is one of the
 * words, so that what others have said costs nothing; it begins with a mark, so that no search finds it. Of each
 * message the first characters count: on the embedded database a message of 70 characters takes 0.15 ms more to store,
 * one of 330 would take 0.5 ms, one of 2000 3 ms.
 */

export const searchedRoles = sql.raw(`role in ('user', 'assistant')`)

export const messageWords = sql.raw(
  `(to_tsvector('simple', translate(left(content, 250), '-+/.@:&<', '        '))` +
    ` || array_to_tsvector(array['/' || organization_id::text]))`,
)

/** Ids of the conversations in which one message holds all words of a text, its last word perhaps begun; null: no words. */
export function conversationsSaying(organizationId: string, text: string): SQL | null {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu)
  if (words === null) return null
  const query = `${words.map((word) => `'${word}'`).join(' & ')}:*`
  const asked = sql`to_tsquery('simple', ${query})`
  // What the database takes for no word at all would ask for nothing, and so find everything.
  return sql`(select conversation_id from message
    where ${searchedRoles} and numnode(${asked}) > 0
      and ${messageWords} @@ (${`'/${organizationId}'`}::tsquery && ${asked}))`
}
