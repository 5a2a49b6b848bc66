import { type SQL, sql } from 'drizzle-orm'
import type { EndUserDataStore } from '../../ports/erasure-store.js'
import { conversationsOf, rejectedCallsOf, tasksOfEndUser } from './end-user-rows.js'
import type { Handle } from './handle.js'
import { readPage } from './organization-data-store.js'
import { organizationTables } from './organization-tables.js'

const byConversation = (endUserId: string) => sql`conversation_id in (${conversationsOf(endUserId)})`

const turns = (endUserId: string) => sql`select turn.id from turn where turn.${byConversation(endUserId)}`

const sessions = (endUserId: string) =>
  sql`select realtime_session.id from realtime_session where realtime_session.${byConversation(endUserId)}`

const files = (endUserId: string) =>
  sql`select given.file_id from conversation_file as given where given.${byConversation(endUserId)}`

const tasks = (endUserId: string) => sql`select found.id from (${tasksOfEndUser(endUserId)}) as found`

const rejectedCalls = (endUserId: string) => rejectedCallsOf(sql`${endUserId}::uuid`)

const bySession = (endUserId: string) => sql`session_id in (${sessions(endUserId)})`

const byFile = (endUserId: string) => sql`file_id in (${files(endUserId)})`

const bySubject = (column: 'order_key' | 'subject_id') => (endUserId: string) => {
  const name = sql.identifier(column)
  return sql`(${name} in (${conversationsOf(endUserId)}) or ${name} in (${tasks(endUserId)})
    or ${name} in (${rejectedCalls(endUserId)}))`
}

/**
 * The tables with data about end users, in the order of an export, and how to find the rows of one. A test
 * compares the list with the schema.
 */
const belongings: Readonly<Record<string, (endUserId: string) => SQL>> = {
  end_user: (endUserId) => sql`id = ${endUserId}::uuid`,
  end_user_fact: (endUserId) => sql`end_user_id = ${endUserId}::uuid`,
  conversation: (endUserId) => sql`id in (${conversationsOf(endUserId)})`,
  message: byConversation,
  conversation_summary: byConversation,
  memory_plan: byConversation,
  conversation_file: byConversation,
  temporary_file: (endUserId) => sql`id in (${files(endUserId)})`,
  temporary_file_passage: byFile,
  temporary_file_chunk: byFile,
  approval: byConversation,
  turn: byConversation,
  turn_event: (endUserId) => sql`turn_id in (${turns(endUserId)})`,
  realtime_session: byConversation,
  realtime_exchange: bySession,
  realtime_session_figures: bySession,
  // Rejected calls have no conversation.
  phone_call: (endUserId) => sql`(${byConversation(endUserId)} or id in (${rejectedCalls(endUserId)}))`,
  task: (endUserId) => sql`id in (${tasks(endUserId)})`,
  webhook_event: bySubject('order_key'),
  webhook_delivery: bySubject('order_key'),
  idempotency_key: bySubject('subject_id'),
  usage_record: (endUserId) => sql`end_user_id = ${endUserId}::uuid`,
}

export function makeEndUserDataStore(handle: Handle): EndUserDataStore {
  return {
    tables: Object.keys(belongings),

    async page(endUserId, name, after) {
      const table = organizationTables.find((one) => one.name === name)
      const belongs = belongings[name]
      if (table === undefined || belongs === undefined) throw new Error(`The table ${name} is not exported.`)
      return readPage(handle, { table, belongs: belongs(endUserId), after })
    },
  }
}
