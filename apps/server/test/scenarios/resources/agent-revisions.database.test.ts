import type {
  Agent,
  AgentRevision,
  AgentRevisionSummary,
  AuditLogRecord,
  Page,
  Problem,
} from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { headersOf } from '#server/domain/agents/tool-secrets.js'
import { useService } from '../../support/http/use-service.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent } from '../../support/stores/records.js'

const path = '/api/v1/Agent'
const secret = 'the secret that revisions are sealed under'
const cipher = makeCipher(secret)

const bookings = (host: string, Authorization: string) => ({
  kind: 'http',
  name: 'find_booking',
  description: 'Finds a booking.',
  request: { method: 'GET', url: `https://${host}.example.com/`, headers: { Authorization } },
})

describe.each(databaseKinds)('the revisions of an agent on the %s database', (database) => {
  const used = useService({ database, env: { PARLEY_SECRET: secret } })

  async function changed(method: string, at: string, body?: object): Promise<Agent> {
    const answer = await used.client.call<Agent>(method, at, body && { body })
    expect(answer.status, answer.text).toBe(method === 'POST' && at === path ? 201 : 200)
    return answer.body
  }
  const read = async ({ id }: Pick<Agent, 'id'>) =>
    (await used.client.call<Agent>('GET', `${path}/${id}`)).body
  const list = async ({ id }: Pick<Agent, 'id'>, query = '') =>
    (await used.client.call<Page<AgentRevisionSummary>>('GET', `${path}/${id}/revision${query}`)).body
  const revision = ({ id }: Pick<Agent, 'id'>, number: number | string) =>
    used.client.call<AgentRevision>('GET', `${path}/${id}/revision/${number}`)

  /** Returns the header values of the agent's tool, decrypted as the service would decrypt them. */
  async function storedHeaders({ id }: Agent) {
    const record = await used.running.service.database.stores.agents.find(used.running.organizationId, id)
    return record && headersOf(record, 'find_booking', cipher)
  }

  test('revisions show who changed what and the agent at that time, without header values [AGT-10]', async () => {
    const made = await changed('POST', path, { name: 'First', tools: [bookings('one', 'Bearer hidden')] })
    const patched = await changed('PATCH', `${path}/${made.id}`, { voice: 'cedar' })
    const replaced = await changed('PUT', `${path}/${made.id}`, { ...patched, name: 'Third', tools: [] })
    const actor = { type: 'api_key', id: expect.any(String), name: expect.stringMatching(/./) }
    const shared = { agentId: made.id, actor, restoredFrom: null }
    const revisions = [
      { ...shared, number: 3, at: replaced.updatedAt, changed: ['name', 'tools', 'toolSecrets'] },
      { ...shared, number: 2, at: patched.updatedAt, changed: ['voice'] },
      { ...shared, number: 1, at: made.updatedAt, changed: [] },
    ]
    expect(await list(made)).toEqual({ items: revisions, totalCount: 3, offset: 0, limit: 50 })
    expect(await list(made, '?Offset=1&Limit=1')).toMatchObject({ items: [{ number: 2 }], totalCount: 3 })
    for (const [index, agent] of [replaced, patched, made].entries()) {
      const answer = await revision(made, 3 - index)
      expect(answer.body).toEqual({ ...revisions[index], agent })
      expect(answer.text).not.toMatch(/hidden|v1\./)
    }
    for (const number of [0, 4, '01', 'x', 1e9]) expect((await revision(made, number)).status).toBe(404)
    const others = await used.newOrganization()
    for (const at of ['', '/1']) {
      const foreign = await others.call('GET', `${path}/${made.id}/revision${at}`)
      expect(foreign.status).toBe(404)
    }
  })

  test('revisions are numbered without gaps under concurrent changes [AGT-10]', async () => {
    const made = await changed('POST', path, { name: 'Busy' })
    const names = Array.from({ length: 6 }, (_, index) => `Busy ${index}`)
    await Promise.all(names.map((name) => changed('PATCH', `${path}/${made.id}`, { name })))
    const { items } = await list(made)
    expect(items.map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1])
    const held = await Promise.all(items.map(async ({ number }) => (await revision(made, number)).body.agent))
    expect(held[0]).toEqual(await read(made))
    expect(held.map(({ name }) => name).sort()).toEqual(['Busy', ...names])
  })

  test('the revisions of an agent that has none yet start with its previous state [AGT-10]', async () => {
    const { organizationId, service } = used.running
    const { id } = makeAgent(organizationId)
    await service.database.stores.agents.insert(makeAgent(organizationId, { id, subAgentIds: [] }))
    expect(await list({ id })).toMatchObject({ items: [], totalCount: 0 })
    const before = await read({ id })
    await changed('PATCH', `${path}/${id}`, { name: 'Renamed' })
    expect((await list({ id })).items).toMatchObject([
      { number: 2, actor: { type: 'api_key' }, changed: ['name'] },
      { number: 1, actor: null, changed: [], at: before.updatedAt },
    ])
    expect((await revision({ id }, 1)).body.agent).toEqual(before)
  })

  test('restores the agent with its header values at that time, as a new revision [AGT-11]', async () => {
    const made = await changed('POST', path, { name: 'Old', tools: [bookings('one', 'Bearer first')] })
    const at = `${path}/${made.id}`
    await changed('PUT', at, { name: 'New', voice: 'cedar', tools: [bookings('two', 'Bearer second')] })
    const restore = (ifMatch: string) =>
      used.client.call<Agent>('POST', `${at}/revision/1/restore`, { headers: { 'if-match': ifMatch } })
    expect((await restore('"1"')).status).toBe(412)
    expect(await storedHeaders(made)).toEqual({ Authorization: 'Bearer second' })
    const { status, body, headers } = await restore('"2"')
    expect([status, headers.get('etag')]).toEqual([200, '"3"'])
    expect(body).toEqual({ ...made, updatedAt: body.updatedAt })
    expect(await read(made)).toEqual(body)
    expect(await storedHeaders(made)).toEqual({ Authorization: 'Bearer first' })
    const fields = ['name', 'voice', 'tools', 'toolSecrets']
    const { items } = await list(made)
    expect(items[0]).toMatchObject({ number: 3, restoredFrom: 1, changed: expect.arrayContaining(fields) })
    expect(items).toHaveLength(3)
    const log = await used.client.call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Action=agent.restore')
    const details = { revision: 1, changed: expect.arrayContaining(fields) }
    expect(log.body.items).toMatchObject([{ resourceId: made.id, details }])
  })

  test('does not restore a revision that names something deleted, and writes nothing [AGT-11]', async () => {
    const { id: connectionId } = await used.client
      .call<Agent>('POST', '/api/v1/Connection', { body: { name: 'Gone', kind: 'openai' } })
      .then(({ body }) => body)
    const asked = await changed('POST', path, { name: 'Asked' })
    const made = await changed('POST', path, { name: 'Asker', connectionId, subAgentIds: [asked.id] })
    await changed('PATCH', `${path}/${made.id}`, { connectionId: null, subAgentIds: [] })
    await used.client.call('DELETE', `${path}/${asked.id}`)
    await used.client.call('DELETE', `/api/v1/Connection/${connectionId}`)
    const answer = await used.client.call<Problem>('POST', `${path}/${made.id}/revision/1/restore`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors?.map((error) => error.path)).toEqual(['connectionId', 'subAgentIds[0]'])
    expect(await list(made)).toMatchObject({ totalCount: 2 })
    expect(await read(made)).toMatchObject({ connectionId: null, subAgentIds: [] })
  })

  test('revisions are limited to the newest hundred and deleted with the agent [AGT-12]', async () => {
    const { organizationId, service } = used.running
    const { agentRevisions } = service.database.stores
    const made = await changed('POST', path, { name: 'Long-lived' })
    const first = await agentRevisions.find(organizationId, made.id, 1)
    if (first === null) throw new Error('The new agent has no revision.')
    for (const number of [2, 100]) await agentRevisions.insert({ ...first, number })
    await changed('PATCH', `${path}/${made.id}`, { voice: 'cedar' })
    expect((await list(made)).items.map(({ number }) => number)).toEqual([101, 100, 2])
    await used.client.call('DELETE', `${path}/${made.id}`)
    expect(await agentRevisions.lastNumber(made.id)).toBe(0)
    expect((await revision(made, 100)).status).toBe(404)
    expect((await used.client.call('GET', `${path}/${made.id}/revision`)).status).toBe(404)
  })
})
