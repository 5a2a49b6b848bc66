import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import type { MessageRecord } from '../../ports/conversation-store.js'
import type { Handle } from './handle.js'
import { rowLock } from './locks.js'
import { conversation, message } from './schema.js'

const maxTitleLength = 80

const columns = Object.entries(getTableColumns(message))
/** As one piece of text, which is quicker to put into a statement. */
const columnNames = sql.raw(columns.map(([, column]) => `"${column.name}"`).join(', '))

/**
 * Adds a message unless its segment or call is stored already, and counts it in the conversation. One statement, and so a
 * transaction of its own where none is open: a session stores many, and on the embedded database everybody else waits
 * while one is open, for as many passes of the event loop as it has statements.
 */
export async function addMessage(handle: Handle, record: MessageRecord): Promise<string | null> {
  const { rows } = await handle.execute<{ isHeld: boolean; isAdded: boolean }>(sql`
    with held as (
      select ${conversation.id} from ${conversation}
      where ${conversation.id} = ${record.conversationId} and ${conversation.deletedAt} is null
      for ${sql.raw(rowLock.toTakeTurns)}
    ), added as (
      insert into ${message} (${columnNames}) select ${valuesOf(record)} from held
      on conflict do nothing
      returning ${message.id}
    ), counted as (
      update ${conversation} set ${sql.join(changesBy(record), sql`, `)}
      where ${conversation.id} = ${record.conversationId} and exists (select from added)
    )
    select exists (select from held) as "isHeld", exists (select from added) as "isAdded"`)
  if (rows[0]?.isAdded === true) return record.id
  return rows[0]?.isHeld === true ? findByOrigin(handle, record) : null
}

/** With their types: of a parameter in a list that is selected the database knows none. */
function valuesOf(record: MessageRecord) {
  const fields: Readonly<Record<string, unknown>> = { ...record }
  return sql.join(
    columns.map(([name, column]) => sql`${sql.param(fields[name], column)}::${sql.raw(column.getSQLType())}`),
    sql`, `,
  )
}

function changesBy({ role, content, createdAt, updatedAt }: MessageRecord) {
  const { messageCount, version, lastMessageAt, title, updatedAt: changedAt } = conversation
  const firstWords = role === 'user' && content !== '' ? titleOf(content) : null
  return [
    sql`${sql.identifier(messageCount.name)} = ${messageCount} + 1`,
    sql`${sql.identifier(version.name)} = ${version} + 1`,
    sql`${sql.identifier(lastMessageAt.name)} = greatest(${lastMessageAt}, ${createdAt})`,
    sql`${sql.identifier(title.name)} = coalesce(${title}, ${firstWords})`,
    // Words that come late were said earlier.
    sql`${sql.identifier(changedAt.name)} = greatest(${changedAt}, ${updatedAt})`,
  ]
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
