import type { EndUser, Page } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organizationTables } from '#server/adapters/database/organization-tables.js'
import { uploaded } from '../../support/files/upload.js'
import { send } from '../../support/http/send.js'
import { addOrganization } from '../../support/organizations.js'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { ask } from '../../support/questions/ask.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'

interface Line {
  readonly table: string
  readonly row: Readonly<Record<string, unknown>>
}

/** The tables of an organization whose rows do not belong to end users. */
const others = [
  ...['webhook', 'usage_reservation', 'running_session_count', 'reserved_amount', 'mcp_listing'],
  ...['mcp_authorization', 'mcp_grant', 'mcp_grant_token', 'agent', 'agent_revision', 'agent_test'],
  ...['agent_test_run', 'agent_test_result', 'connection', 'budget', 'budget_crossing', 'own_price'],
  ...['phone_connection', 'phone_number'],
  ...['usage_rollup', 'usage_rollup_part', 'usage_counter', 'usage_counter_part', 'invitation', 'person'],
  ...['member', 'api_key', 'stored_amount', 'audit_record', 'audit_chain', 'audit_changeover'],
]

describe.each(databaseKinds)('exporting an end user on %s', (database) => {
  let running: RunningService
  let model: AnsweringModel
  let agentId: string

  beforeAll(async () => {
    model = await startAnsweringModel(() => ['Yes.'])
    running = await startService({ database, env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
    agentId = await makeTextAgent(running, model, { name: 'Concierge' })
  })

  afterAll(async () => {
    await running.close()
    await model.close()
  })

  async function endUserOf(externalId: string): Promise<EndUser> {
    const path = `/api/v1/EndUser?ExternalId=${externalId}`
    const { body } = await running.client.call<Page<EndUser>>('GET', path)
    return body.items[0] as EndUser
  }

  async function exported(id: string): Promise<Line[]> {
    const { url, apiKey, organizationId } = running
    const { status, headers, text } = await send(url, {
      method: 'GET',
      path: `/api/v1/EndUser/${id}/export`,
      headers: { 'x-api-key': apiKey, 'x-org-id': organizationId },
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    return text
      .trimEnd()
      .split('\n')
      .map((line): Line => JSON.parse(line))
  }

  test('streams all rows about the end user and no others, without secrets [USR-17]', async () => {
    const file = await uploaded(running, { name: 'notes.txt', content: 'Quiet rooms.' })
    const { body } = await ask(
      running,
      agentId,
      { question: 'Mine?', externalUserId: 'ada', fileIds: [file.id] },
      { 'idempotency-key': 'mine' },
    )
    await ask(running, agentId, { question: 'Theirs?', externalUserId: 'bob' })
    const task = { title: 'Call Ada', externalUserId: 'ada' }
    await running.client.call('POST', '/api/v1/Task', { body: task })
    const lines = await exported((await endUserOf('ada')).id)
    const rowsOf = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => row)
    expect(rowsOf('end_user')).toMatchObject([{ external_id: 'ada' }])
    expect(rowsOf('conversation')).toMatchObject([{ id: body.conversationId }])
    expect(rowsOf('message').map(({ content }) => content)).toEqual(['Mine?', 'Yes.'])
    expect(rowsOf('turn')).toMatchObject([{ id: body.turnId, question: 'Mine?' }])
    expect(rowsOf('turn_event').length).toBeGreaterThan(2)
    expect(rowsOf('temporary_file')).toMatchObject([{ name: 'notes.txt' }])
    expect(rowsOf('temporary_file_passage')).toMatchObject([{ content: 'Quiet rooms.' }])
    expect(rowsOf('temporary_file_chunk')).toMatchObject([
      { content: `\\x${Buffer.from('Quiet rooms.').toString('hex')}` },
    ])
    expect(rowsOf('task')).toMatchObject([{ title: 'Call Ada' }])
    expect(rowsOf('idempotency_key')).toMatchObject([{ key: 'mine' }])
    for (const { table, row } of lines)
      for (const column of organizationTables.find(({ name }) => name === table)?.hidden ?? [])
        expect(row).not.toHaveProperty(column)
    expect(JSON.stringify(lines)).not.toContain('Theirs?')
  })

  test('reads long conversations in pages [USR-17]', async () => {
    const { body } = await ask(running, agentId, { question: 'First?', externalUserId: 'long' })
    const { conversations } = running.service.database.stores
    const [message] = (
      await conversations.listMessages(running.organizationId, body.conversationId, { offset: 0, limit: 1 })
    ).items
    for (let index = 0; index < 1001; index += 1) {
      const id = `01900000-0000-7000-8000-${String(index).padStart(12, '0')}`
      if (message) await conversations.addMessage({ ...message, id, itemId: id, content: `Line ${index}` })
    }
    const lines = await exported((await endUserOf('long')).id)
    const ids = lines.filter(({ table }) => table === 'message').map(({ row }) => row.id)
    expect([ids.length, new Set(ids).size]).toEqual([1003, 1003])
  })

  test('is refused to other organizations [7.1-1]', async () => {
    const { id } = await endUserOf('bob')
    const stranger = running.client.as(await addOrganization(running))
    for (const [method, path] of [
      ['GET', `/api/v1/EndUser/${id}/export`],
      ['DELETE', `/api/v1/EndUser/${id}`],
    ] as const)
      expect((await stranger.call(method, path)).status).toBe(404)
    expect((await endUserOf('bob')).erasure).toBeNull()
  })

  test('decides for every table whether it belongs to end users [USR-17]', () => {
    const { tables } = running.service.database.stores.endUserData
    const known = [...tables, ...others]
    expect(known.toSorted()).toEqual(organizationTables.map(({ name }) => name).toSorted())
  })
})
