import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** Queries for rows that are under way. All must return 0 after everything has ended. */
const questions: Readonly<Record<string, string>> = {
  'sessions without an end': `select count(*) from realtime_session where state = 'consumed' and ended_at is null`,
  'turns without an end': 'select count(*) from turn where ended_at is null',
  'runs of tasks without an end': `select count(*) from task where status = 'in_progress' or run_started_at is not null or next_run_at is not null`,
  'approvals that wait': `select count(*) from approval where state = 'waiting'`,
  'decided calls without an end': 'select count(*) from approval where finished_at is null',
  'calls without an outcome': `select count(*) from message where role in ('tool', 'subagent') and status in (0, 3)`,
  'events for webhooks': 'select count(*) from webhook_event',
  'deliveries under way': `select count(*) from webhook_delivery where state = 'pending'`,
  'audit records that are not sealed': 'select count(*) from audit_record where sequence is null',
  'connections in a transaction': `select count(*) from pg_stat_activity where application_name = 'parley' and state like 'idle in transaction%' and state_change < now() - interval '10 seconds'`,
}

export async function readLeftovers(client: Client): Promise<Readonly<Record<string, number>>> {
  const left: Record<string, number> = {}
  for (const [name, text] of Object.entries(questions)) {
    const { rows } = await client.query<{ count: string }>(text)
    if (Number(rows[0]?.count) > 0) left[name] = Number(rows[0]?.count)
  }
  return left
}

/** Waits until no work is under way, up to a limit. Returns the time it took, in milliseconds. */
export async function settle(client: Client, patienceMilliseconds: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const left = await readLeftovers(client)
    const waited = performance.now() - startedAt
    if (Object.keys(left).length === 0 || waited > patienceMilliseconds) return waited
    await sleep(1000)
  }
}
