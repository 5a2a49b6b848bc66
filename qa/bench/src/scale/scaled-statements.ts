import type pg from 'pg'

/** The form of a statement: earlier or current. */
export type Form = 'before' | 'after'

const tokens = 'text_input, text_output, audio_input, audio_output, image_input, cached_text_input'
const rest =
  'cached_audio_input, cached_image_input, cache_write_text_input, unpriced_tokens, unpriced_milliseconds, cost'
const sums = `sessions, turns, responses, priced_responses, unknown_responses, tool_calls, milliseconds,
  audio_milliseconds, ${tokens}, ${rest}`
const figures = '0, 0, 1, 1, 0, 0, 900, 0, 700, 80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.001'
const rollupKey = 'organization_id, day, agent_id, api_key_id, connection_id, model, channel'
const counterKey = 'organization_id, subject_id, period, starts_on'

const added = (table: string, names: readonly string[]) =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')

/** Adds a response to the ledger. Parameters: the organization, the agent, the session. */
export function addUse(form: Form): string {
  const isNew = form === 'after'
  const [counter, rollup] = isNew
    ? ['usage_counter_part', 'usage_rollup_part']
    : ['usage_counter', 'usage_rollup']
  const shard = isNew ? ', shard' : ''
  const own = isNew ? ', pg_backend_pid() % 16' : ''
  const responses = isNew ? ', responses' : ''
  const counted = ['tokens', 'unpriced_tokens', 'cost', ...(isNew ? ['responses'] : [])]
  return `with added as (
      insert into usage_record (source_id, item, at, ${rollupKey}, ${sums})
      values ($3, 'response', now(), $1, current_date, $2, '00000000-0000-0000-0000-000000000000', $1, 'model',
        'realtime', ${figures})
      on conflict (source_id, item) do nothing returning *),
    counted as (
      insert into ${counter} (${counterKey}${shard}, tokens, unpriced_tokens, cost${responses})
      select added.organization_id, subject.id, subject.period, subject.starts_on${own},
        added.text_input + added.text_output, added.unpriced_tokens, added.cost${isNew ? ', added.responses' : ''}
      from added cross join lateral (values
        (1, added.organization_id, 'day', added.day),
        (2, added.organization_id, 'month', date_trunc('month', added.day)::date),
        (3, added.agent_id, 'day', added.day),
        (4, added.agent_id, 'month', date_trunc('month', added.day)::date)
      ) as subject (number, id, period, starts_on)
      order by subject.number
      on conflict (${counterKey}${shard}) do update set ${added(counter, counted)})
    insert into ${rollup} (${rollupKey}${shard}, ${sums})
    select ${rollupKey}${own}, ${sums} from added
    on conflict (${rollupKey}${shard}) do update set ${added(
      rollup,
      sums.split(',').map((name) => name.trim()),
    )}`
}

const isAlive = `instance_lease.renewed_at > now() - interval '15 seconds'`

export function countSessions(form: Form, organizationId: string): string {
  return form === 'after'
    ? `select sum(running.sessions) from running_session_count as running
        join instance_lease on instance_lease.instance_id = running.instance_id and ${isAlive}
        where running.organization_id = '${organizationId}'`
    : `select sum(of_instance.sessions) from (
          select running.instance_id, count(*) as sessions from realtime_session as running
          where running.organization_id = '${organizationId}'
            and running.state = 'consumed' and running.ended_at is null
          group by running.instance_id) as of_instance
        join instance_lease on instance_lease.instance_id = of_instance.instance_id and ${isAlive}`
}

export function searchConversations(form: Form, organizationId: string): string {
  const isMatching = `organization_id = '${organizationId}' and deleted_at is null
    and (title ilike '%room%' or id in (select conversation_id from message where content like '%room%'))`
  const page = 'order by id desc limit 50'
  return form === 'after'
    ? `with matching as (select id from conversation where ${isMatching})
        select conversation.*, (select count(*) from matching) from conversation
        where id in (select id from matching ${page}) order by id desc`
    : `select conversation.*, (select count(*) from conversation where ${isMatching})
        from conversation where ${isMatching} ${page}`
}

interface Plan {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

/** Returns the number of rows that a statement reads from tables, and how often it scans messages. */
export async function rowsRead(
  client: pg.Client,
  statement: string,
): Promise<{ readonly rows: number; readonly scans: number }> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (analyze, format json) ${statement}`,
  )
  const [read, scans] = [{ rows: 0 }, { count: 0 }]
  const walk = (plan: Plan) => {
    if (plan['Relation Name'] !== undefined)
      read.rows += (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    if (plan['Relation Name'] === 'message') scans.count += 1
    for (const each of plan.Plans ?? []) walk(each)
  }
  const [found] = rows[0]?.['QUERY PLAN'] ?? []
  if (found !== undefined) walk(found.Plan)
  return { rows: read.rows, scans: scans.count }
}
