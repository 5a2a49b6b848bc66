import type { PhoneCallStatistics, Problem } from '@parley/contract'
import { PhoneCallStatistics as StatisticsSchema } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PhoneCallRecord } from '#server/ports/phone-stores.js'
import { addOrganization } from '../../support/organizations.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'

const path = '/api/v1/PhoneCall/statistics'

describe.each(databaseKinds)('the statistics of calls on the %s database', (database) => {
  let running: RunningService
  const agentId = uuid()
  const numberId = uuid()

  beforeAll(async () => {
    running = await startService({ database })
    const add = (createdAt: string, seconds: number | null, fields: Partial<PhoneCallRecord>) => {
      const endedAt = new Date(Date.parse(createdAt) + 100_000).toISOString()
      const answeredAt =
        seconds === null ? null : new Date(Date.parse(endedAt) - seconds * 1000).toISOString()
      const call = makePhoneCall(running.organizationId, {
        ...{ createdAt, answeredAt, endedAt, agentId, phoneNumberId: numberId, instanceId: null },
        ...fields,
      })
      return running.service.database.stores.phoneCalls.insert(call)
    }
    const [incoming, outgoing] = [{ direction: 'incoming' }, { direction: 'outgoing' }] as const
    await add('2026-03-01T22:59:59.000Z', 10, { ...incoming, endReason: 'hung_up' })
    await add('2026-03-01T23:00:00.000Z', 20, { ...incoming, endReason: 'hung_up' })
    await add('2026-03-02T10:00:00.000Z', 30.5, { ...incoming, endReason: 'agent_hung_up' })
    await add('2026-03-02T11:00:00.000Z', null, { ...outgoing, endReason: 'busy' })
    await add('2026-03-02T12:00:00.000Z', 5, { ...outgoing, endReason: 'failed', agentId: uuid() })
    await add('2026-03-02T13:00:00.000Z', 1, { ...outgoing, state: 'active', endReason: null, endedAt: null })
    await add('2026-03-03T23:00:00.000Z', 99, { ...incoming, phoneNumberId: uuid() })
  })

  afterAll(() => running.close())

  const statistics = (query: string, client = running.client) =>
    client.call<PhoneCallStatistics & Problem>('GET', `${path}?${query}`)

  test('are counted by local day, direction and end reason, with answered share and duration [TEL-33]', async () => {
    const period = 'From=2026-02-28T23:00:00Z&To=2026-03-03T23:00:00Z&TimeZone=Europe/Berlin'
    const { body } = await statistics(period)
    expect(StatisticsSchema.parse(body)).toEqual(body)
    expect(body.total).toEqual({
      ...{ calls: 6, incoming: 3, outgoing: 3, answered: 5, answeredShare: 0.8333 },
      ends: [
        { direction: 'incoming', reason: 'hung_up', calls: 2 },
        { direction: 'incoming', reason: 'agent_hung_up', calls: 1 },
        { direction: 'outgoing', reason: 'busy', calls: 1 },
        { direction: 'outgoing', reason: 'failed', calls: 1 },
      ],
      ...{ seconds: 65.5, averageSeconds: 16.375 },
    })
    expect(body.buckets.map(({ from, calls, seconds }) => [from, calls, seconds])).toEqual([
      ['2026-02-28T23:00:00.000Z', 1, 10],
      ['2026-03-01T23:00:00.000Z', 5, 55.5],
      ['2026-03-02T23:00:00.000Z', 0, 0],
    ])
    expect(body.buckets[2]).toMatchObject({ answeredShare: null, averageSeconds: null, ends: [] })
  })

  test('can be limited to an agent, a phone number and a direction [TEL-33]', async () => {
    const period = 'From=2026-03-01T00:00:00Z&To=2026-03-05T00:00:00Z'
    const callsOf = async (query: string) => (await statistics(`${period}&${query}`)).body.total.calls
    expect(await callsOf('')).toBe(7)
    expect(await callsOf(`AgentId=${agentId}`)).toBe(6)
    expect(await callsOf(`PhoneNumberId=${numberId}`)).toBe(6)
    expect(await callsOf(`PhoneConnectionId=${uuid()}`)).toBe(0)
    expect(await callsOf('Direction=outgoing')).toBe(3)
  })

  test('are empty for other organizations, and reject invalid periods [TEL-33]', async () => {
    const period = 'From=2026-03-01T00:00:00Z&To=2026-03-05T00:00:00Z'
    const stranger = running.client.as(await addOrganization(running))
    expect((await statistics(period, stranger)).body.total.calls).toBe(0)
    for (const query of ['From=2026-03-01T00:00:00Z&To=2026-09-05T00:00:00Z', 'TimeZone=Nowhere/None'])
      expect((await statistics(query)).status).toBe(400)
  })
})
