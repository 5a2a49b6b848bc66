import { createHash } from 'node:crypto'
import type {
  Approval,
  AuditLogVerification,
  Conversation,
  Message,
  RealtimeSession,
  Task,
} from '@parley/contract'
import { inParallel } from '@parley/stage/processes/in-parallel'
import { type Api, makeApi } from '@parley/stage/service/api'
import type { Client } from 'pg'
import { callHttp } from '../load/http-call.js'
import type { Tenant } from '../load/tenant.js'
import type { ClientRecords } from '../records/client-records.js'
import type {
  StoredAudit,
  StoredFile,
  StoredRecords,
  StoredSession,
  StoredTask,
  StoredTurn,
} from '../records/stored-records.js'
import { readLeftovers } from './leftovers.js'
import { readOwed } from './owed-deliveries.js'

const width = 8
const pageSize = 200

export interface Reading {
  readonly url: string
  readonly tenants: readonly Tenant[]
  readonly load: ClientRecords
  readonly client: Client
}

/** Reads everything that is checked, through the API if possible. */
export async function readStored({ url, tenants, load, client }: Reading): Promise<StoredRecords> {
  const messages = new Map<string, readonly Message[]>()
  const sessions: RealtimeSession[] = []
  const approvals: Approval[] = []
  const tasks: Task[] = []
  const files = new Map<string, StoredFile>()
  const audits: StoredAudit[] = []
  for (const { index, credentials } of tenants) {
    const api = makeApi(url, credentials)
    const conversations = await readAll<Conversation>(api, '/api/v1/Conversation?')
    await inParallel(conversations.length, width, async (index) => {
      const id = conversations[index]?.id ?? ''
      messages.set(id, await readAll<Message>(api, `/api/v1/Conversation/${id}/message?`))
    })
    sessions.push(...(await readAll<RealtimeSession>(api, '/api/v1/RealtimeSession?')))
    approvals.push(...(await readAll<Approval>(api, '/api/v1/Approval?Order=oldest&')))
    tasks.push(...(await readAll<Task>(api, '/api/v1/Task?')))
    const own = load.files.filter(({ tenant }) => tenant === index)
    await inParallel(own.length, width, async (index) => {
      const id = own[index]?.id ?? ''
      files.set(id, await readFile({ url, credentials }, id))
    })
    audits.push(await readAudit(api, credentials.organizationId))
  }
  const finished = new Set(await column(client, 'select id from approval where finished_at is not null'))
  return {
    messages,
    files,
    audits,
    sessions: await withKeys(client, sessions),
    approvals: approvals.map((each) => ({ ...each, isFinished: finished.has(each.id) })),
    tasks: await withRecords(client, tasks),
    turns: (await client.query<StoredTurn>('select id, state, answer from turn')).rows,
    leftovers: await readLeftovers(client),
    owedDeliveries: await readOwed(client, tenants),
  }
}

/** Returns the items of all pages. */
async function readAll<Item>(api: Api, path: string): Promise<Item[]> {
  const items: Item[] = []
  for (;;) {
    const page = await api.call<{ items: Item[] }>('GET', `${path}Limit=${pageSize}&Offset=${items.length}`)
    items.push(...page.items)
    if (page.items.length < pageSize) return items
  }
}

async function readFile(target: Parameters<typeof callHttp>[0], id: string): Promise<StoredFile> {
  const answer = await callHttp(target, { method: 'GET', path: `/api/v1/TemporaryFile/${id}/content` })
  if (!answer.ok || answer.status !== 200) return { kind: 'gone', status: answer.ok ? answer.status : 0 }
  return { kind: 'readable', hash: createHash('sha256').update(answer.body).digest('hex') }
}

async function readAudit(api: Api, organizationId: string): Promise<StoredAudit> {
  const found = await api.call<AuditLogVerification>('GET', '/api/v1/AuditLog/verify')
  return { organizationId, isValid: found.valid, unsealed: found.unsealedCount, detail: found.detail }
}

/**
 * Adds the keys of the load's sessions. Reads them from the instructions, because a conversation may have
 * several sessions and the clocks are shifted.
 */
async function withKeys(client: Client, sessions: readonly RealtimeSession[]): Promise<StoredSession[]> {
  const { rows } = await client.query<{ id: string; key: string | null }>(
    `select id, substring(setup->>'instructions' from 'chaos (\\S+)') as key from realtime_session`,
  )
  const keys = new Map(rows.map(({ id, key }) => [id, key]))
  return sessions.map((session) => ({ ...session, key: keys.get(session.id) ?? null }))
}

async function withRecords(client: Client, tasks: readonly Task[]): Promise<StoredTask[]> {
  const { rows } = await client.query<{ id: string; action: string; count: string }>(
    `select resource_id as id, action, count(*) as count from audit_record
     where action in ('task.run.start', 'task.run.end') group by 1, 2`,
  )
  const counts = new Map(rows.map(({ id, action, count }) => [`${id} ${action}`, Number(count)]))
  return tasks.map((task) => ({
    task,
    starts: counts.get(`${task.id} task.run.start`) ?? 0,
    ends: counts.get(`${task.id} task.run.end`) ?? 0,
  }))
}

async function column(client: Client, text: string): Promise<readonly string[]> {
  return (await client.query<{ id: string }>(text)).rows.map(({ id }) => id)
}
