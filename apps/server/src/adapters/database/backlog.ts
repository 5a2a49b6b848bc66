import { sql } from 'drizzle-orm'
import { type Backlog, backlogKinds } from '../../ports/database.js'
import type { Handle } from './handle.js'
import { sqlStatement } from './statement.js'

/** The maximum count, which limits the cost of the statement. */
const most = 10_000

const counted = {
  webhook_events: 'webhook_event',
  webhook_deliveries: "webhook_delivery where state = 'pending' and due_at <= now()",
  turns: "turn where state = 'queued' and ended_at is null",
  task_runs: 'task where next_run_at is not null and next_run_at <= now()',
  audit_records: 'audit_record where sequence is null',
} as const satisfies Record<keyof Backlog, string>

/** Each part reads a partial index that contains only waiting rows. */
const readCounts = sqlStatement<Record<keyof Backlog, number>>('backlog', () => {
  const parts = backlogKinds.map(
    (kind) =>
      `(select count(*)::int from (select 1 from ${counted[kind]} limit ${most}) as waiting) as ${kind}`,
  )
  return sql.raw(`select ${parts.join(', ')}`)
})

/** Counts the waiting work in the database, in one statement. */
export async function readBacklog(handle: Handle): Promise<Backlog> {
  const [row] = await readCounts(handle, {})
  if (row === undefined) throw new Error('The backlog statement returned no row.')
  return row
}
