import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { MessageRecord } from '../../ports/conversation-store.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { conversation, message } from './schema.js'
import { placeholder, sqlStatement } from './statement.js'

const maxTitleLength = 80

const columns = Object.entries(getTableColumns(message))
/** As one piece of text, which is quicker to put into a statement. */
const columnNames = sql.raw(columns.map(([, column]) => `"${column.name}"`).join(', '))

const values = columns.map(
  // With their types: of a parameter in a list that is selected the database knows none.
  ([name, column]) => sql`${sql.param(placeholder(name), column)}::${sql.raw(column.getSQLType())}`,
)

const addAndCount = sqlStatement<{ isHeld: boolean; isAdded: boolean }>(
  'message_add',
  () => sql`
    with held as (
      select ${conversation.id} from ${conversation}
      where ${conversation.id} = ${placeholder('conversationId')} and ${conversation.deletedAt} is null
      for ${sql.raw(rowLock.toTakeTurns)}
    ), added as (
      insert into ${message} (${columnNames}) select ${sql.join(values, sql`, `)} from held
      on conflict do nothing
      returning ${message.id}
    ), counted as (
      update ${conversation} set ${sql.join(changes(), sql`, `)}
      where ${conversation.id} = ${placeholder('conversationId')} and exists (select from added)
    )
    select exists (select from held) as "isHeld", exists (select from added) as "isAdded"`,
)

function changes() {
  const { messageCount, version, lastMessageAt, title, updatedAt } = conversation
  return [
    sql`${sql.identifier(messageCount.name)} = ${messageCount} + 1`,
    sql`${sql.identifier(version.name)} = ${version} + 1`,
    sql`${sql.identifier(lastMessageAt.name)} = greatest(${lastMessageAt}, ${placeholder('createdAt')})`,
    sql`${sql.identifier(title.name)} = coalesce(${title}, ${placeholder('firstWords')})`,
    // Words that come late were said earlier.
    sql`${sql.identifier(updatedAt.name)} = greatest(${updatedAt}, ${placeholder('updatedAt')})`,
  ]
}

/**
 * Adds a message unless its segment or call is stored already, and counts it in the conversation. One statement, and so a
 * transaction of its own where none is open: a session stores many, and on the embedded database everybody else waits
 * while one is open, for as many passes of the event loop as it has statements.
 */
export async function addMessage(handle: Handle, record: MessageRecord): Promise<string | null> {
  const { role, content } = record
  const firstWords = role === 'user' && content !== '' ? titleOf(content) : null
  const [row] = await addAndCount(handle, { ...record, firstWords })
  if (row?.isAdded === true) return record.id
  return row?.isHeld === true ? findByOrigin(handle, record) : null
}

/** The first words, without half a character at the end. */
function titleOf(content: string): string {
  return content.slice(0, maxTitleLength).replace(/[\uD800-\uDBFF]$/, '')
}

async function findByOrigin(
  handle: Handle,
  { originId, itemId, contentIndex }: MessageRecord,
): Promise<string | null> {
  const [stored] = await handle
    .select({ id: message.id })
    .from(message)
    .where(
      and(
        originId === null ? isNull(message.originId) : eq(message.originId, originId),
        eq(message.itemId, itemId),
        eq(message.contentIndex, contentIndex),
      ),
    )
  return stored?.id ?? null
}
