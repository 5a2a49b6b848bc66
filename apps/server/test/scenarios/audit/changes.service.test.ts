import { allOperations, type Page } from '@parley/contract'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { type ChangeCase, changeCases, secretApiKey, secretHeader } from '../../support/audit/change-cases.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

interface Made {
  readonly id: string
}

/** Everything that a change could leave behind, except what the service writes in the background. */
const stateQuery = `
  select (select json_agg(agent order by id) from agent)::text,
         (select json_agg(connection order by id) from connection)::text,
         (select json_agg(task order by id) from task)::text,
         (select json_agg(budget order by id) from budget)::text,
         (select json_agg(own_price order by model) from own_price)::text,
         (select json_agg(temporary_file order by id) from temporary_file)::text,
         (select json_agg(member order by id) from member)::text,
         (select json_agg(mcp_authorization order by id) from mcp_authorization)::text,
         (select json_agg(mcp_grant order by id) from mcp_grant)::text,
         (select json_agg(invitation order by id) from invitation)::text,
         (select json_agg(phone_connection order by id) from phone_connection)::text,
         (select json_agg(phone_number order by id) from phone_number)::text,
         (select json_agg(json_build_array(id, end_requested_at, digits_requested) order by id) from phone_call)::text,
         (select json_agg(json_build_array(id, version) order by id) from webhook)::text,
         (select json_agg(json_build_array(id, version, deleted_at) order by id) from api_key)::text,
         (select json_agg(json_build_array(id, stop_requested_at) order by id) from turn)::text,
         (select json_agg(json_build_array(id, state, decided_by, reason) order by id) from approval)::text,
         (select json_agg(organization order by id) from organization)::text,
         (select json_agg(end_user order by id) from end_user where erasure_started_at is null)::text,
         (select json_agg(id order by id) from audit_record where action not in ('end_user.erased', 'phone_call.end'))::text`

const cause = 'the disk of the audit log is full'
const breakAuditLog = `
  create function refuse_audit() returns trigger language plpgsql as $$ begin raise exception '${cause}'; end $$;
  create trigger refuse_audit before insert on audit_record execute function refuse_audit()`
const mendAuditLog = 'drop function refuse_audit cascade'
const breakCommit = `
  create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception '${cause}'; end $$;
  create constraint trigger refuse_commit after insert on audit_record
    deferrable initially deferred for each row execute function refuse_commit()`
const mendCommit = 'drop function refuse_commit cascade'

/** Operations that change nothing, and operations with their own test. */
const otherwise = [
  'testConnection',
  'testPhoneConnection',
  'transferPhoneCall',
  'testAgentTool',
  'beginMcpAuthorizationConsent',
  'completeMcpAuthorizationConsent',
  'createRealtimeSession',
  'endRealtimeSession',
  'deleteConversation',
  'createTemporaryFile',
]

let database: PostgresDatabase
let sql: Client
let running: RunningService
let firstKeyId: unknown

beforeAll(async () => {
  database = await migratedDatabase()
  sql = new Client({ connectionString: database.url })
  await sql.connect()
  // Task runs are started and not processed, because their changes belong to the background.
  running = await startService({ env: { DATABASE_URL: database.url, PARLEY_TASK_RUNS: '0' } })
  firstKeyId = (await query(`select id from api_key where name = 'First key'`))[0]?.[0]
})

afterAll(async () => {
  await running.close()
  await sql.end()
  await database.drop()
})

async function query(text: string): Promise<unknown[][]> {
  const { rows } = await sql.query<unknown[]>({ text, rowMode: 'array' })
  return rows
}

/** Creates what the change needs and returns a function that makes the change. */
async function prepareChange(changeCase: ChangeCase, tag: string) {
  const { prepare, arrange, method, path, bodyFor, change } = changeCase
  const prepared = prepare && (await running.client.call<Made>('POST', prepare[0], { body: prepare[1] }))
  const preparedId = prepared?.body.id ?? (await arrange?.(running)) ?? ''
  const requestId = `${tag}:${change.replaceAll(' ', '-')}`
  const body = bodyFor?.(preparedId) ?? changeCase.body
  const options = { ...(body && { body }), headers: { 'x-request-id': requestId } }
  const make = () => running.client.call<Partial<Made> | undefined>(method, path(preparedId), options)
  return { preparedId, requestId, make }
}

/** External ids are unique, and these tests repeat the same changes. */
const forgetTasks = () => sql.query('delete from task')

describe('a change and its audit record', () => {
  test.each(changeCases)(
    'stores a change together with its audit record: $change [AUD-1]',
    async (changeCase) => {
      await forgetTasks()
      const { preparedId, requestId, make } = await prepareChange(changeCase, 'both')
      const answer = await make()
      expect(answer.status).toBeLessThan(300)

      const { action, resourceType, details, besides } = changeCase
      const resourceId = changeCase.resourceId?.(preparedId, answer.body) ?? answer.body?.id ?? preparedId
      const newest = await readRecords(running.client, '', 20)
      const records = newest.filter((record) => record.requestId === requestId)
      const shared = {
        id: expect.any(String),
        at: expect.any(String),
        actor: { type: 'api_key', id: firstKeyId, name: 'First key' },
        resourceType,
        outcome: 'success',
        ipAddress: '127.0.0.1',
        requestId,
        sequence: expect.toBeOneOf([null, expect.any(Number)]),
        hash: expect.toBeOneOf([null, expect.any(String)]),
        keyId: expect.toBeOneOf([null, expect.any(String)]),
        signature: expect.any(String),
        sealedAt: expect.toBeOneOf([null, expect.any(String)]),
        sealProof: expect.toBeOneOf([null, expect.any(String)]),
      }
      expect(records).toEqual([
        { ...shared, resourceId, action, details },
        ...(besides ? [{ ...shared, resourceId: expect.not.stringContaining(preparedId), ...besides }] : []),
      ])
    },
  )

  test('stores the records of a realtime session and its conversation, from start to end [AUD-1]', async () => {
    const { client } = running
    const create = async (path: string, body: object) =>
      (await client.call<Made>('POST', path, { body })).body.id
    const connectionId = await create('/api/v1/Connection', {
      name: 'Voice',
      kind: 'openai',
      apiKey: secretApiKey,
    })
    const agentId = await create('/api/v1/Agent', { name: 'Speaker', connectionId })
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const { body: ticket } = await client.call<{ conversationId: string; sessionId: string }>('POST', path, {
      body: {},
    })
    const { conversationId } = ticket
    const sessions = await client.call<Page<Made>>(
      'GET',
      `/api/v1/RealtimeSession?ConversationId=${conversationId}`,
    )
    const sessionId = sessions.body.items[0]?.id
    await client.call('DELETE', `/api/v1/RealtimeSession/${sessionId}`)
    await client.call('DELETE', `/api/v1/Conversation/${conversationId}`)

    const records = await readRecords(client)
    expect(records.slice(0, 3).reverse()).toMatchObject([
      { action: 'realtime_session.create', resourceId: sessionId, details: { agentId, conversationId } },
      { action: 'realtime_session.end', resourceId: sessionId },
      { action: 'conversation.delete', resourceId: conversationId },
    ])
    expect(JSON.stringify(records)).not.toContain(ticket.sessionId)
  })

  test('these tests cover every operation that changes something [AUD-1]', () => {
    const shown = changeCases.map(({ method, path }) => `${method} ${path('-')}`)
    const calls = allOperations.filter(
      ({ method, operationId }) => method !== 'GET' && !otherwise.includes(operationId),
    )
    const missing = calls.filter(({ method, path }) => {
      const form = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return !shown.some((call) => form.test(call))
    })
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
  })

  const failures = [
    { failure: 'its record cannot be written', broken: breakAuditLog, mended: mendAuditLog },
    { failure: 'the commit fails', broken: breakCommit, mended: mendCommit },
  ]
  const failingChanges = failures.flatMap((failure) => changeCases.map((one) => ({ ...failure, ...one })))

  test.each(failingChanges)(
    'stores neither the change nor its record if $failure: $change [7.1-3] [AUD-1]',
    async (changeCase) => {
      await forgetTasks()
      const { requestId, make } = await prepareChange(changeCase, 'neither')
      const before = await query(stateQuery)
      await sql.query(changeCase.broken)
      const answer = await make()
      await sql.query(changeCase.mended)

      expect(answer.status).toBe(500)
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(answer.body).toEqual({
        status: 500,
        detail: expect.stringContaining('request id'),
        errorCode: 'Internal',
        requestId,
      })
      expect(await query(stateQuery)).toEqual(before)
      expect(running.log.some((line) => line.includes(requestId) && line.includes(cause))).toBe(true)

      expect((await make()).status).toBeLessThan(300)
    },
  )

  const refusedChanges = [
    ['an invalid request', 400, 'POST', '/api/v1/Task', { body: { title: '' } }],
    ['nothing to change', 404, 'PATCH', '/api/v1/Agent/none', { body: { name: 'Changed' } }],
    ['a contradiction', 409, 'POST', '/api/v1/Task', { body: { title: 'Second', externalId: 'refused' } }],
    ['a stale version', 412, 'PUT', '/api/v1/Task/external/refused', { body: { title: 'Stale' } }],
  ] as const

  test.each(refusedChanges)(
    'stores neither a change nor a record after %s (%i) [AUD-1]',
    async (_, status, method, path, options) => {
      await running.client.call('PUT', '/api/v1/Task/external/refused', { body: { title: 'First' } })
      const before = await query(stateQuery)
      const headers = { 'if-match': '"999"' }
      expect((await running.client.call(method, path, { ...options, headers })).status).toBe(status)
      expect(await query(stateQuery)).toEqual(before)
    },
  )

  test('stores a record of everything that the first start creates, with the service as the actor [AUD-1]', async () => {
    const fresh = await startService()
    const records = await readRecords(fresh.client)
    await fresh.close()
    expect(records.map((record) => record.action).reverse()).toEqual([
      'organization.create',
      'api_key.create',
      'connection.create',
      'agent.create',
      'agent.create',
      'invitation.create',
    ])
    const itself = { actor: { type: 'system', id: null, name: 'Parley' }, ipAddress: null, requestId: null }
    for (const record of records) expect(record).toMatchObject(itself)
  })

  test('keeps secrets out of the records [AUD-1]', async () => {
    const [[text]] = (await query('select json_agg(audit_record)::text from audit_record')) as [[string]]
    const hashes = (await query('select hash from api_key')).flat().map(String)
    expect(text).toContain('sealedApiKey')
    for (const secret of [secretApiKey, secretHeader, running.apiKey, ...hashes])
      expect(text).not.toContain(secret)
  })
})
