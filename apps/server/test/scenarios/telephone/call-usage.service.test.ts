import type { PhoneCall, Problem, Usage } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import { ownNumber, type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'

const minute = 60_000
/** The service looks for lost calls every two seconds. */
const env = { PARLEY_LEASE_SECONDS: '6' }

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService({ env }, { pricePerMinute: { incoming: 0.5, outgoing: null } })
})

afterAll(() => phone.close())

async function telephoneUsage(query = ''): Promise<Usage> {
  const path = `/api/v1/Usage?Channel=telephone${query}`
  return (await phone.client.call<Usage>('GET', path)).body
}

/** Adds a call that was answered two minutes ago. The instance that runs it has died. */
async function addLostCall(fields: Parameters<typeof makePhoneCall>[1] = {}): Promise<string> {
  const answeredAt = new Date(Date.now() - 2 * minute).toISOString()
  const call = makePhoneCall(phone.organizationId, {
    ...{
      state: 'active',
      direction: 'incoming',
      endReason: null,
      endDetail: null,
      endedAt: null,
      answeredAt,
    },
    ...{ agentId: phone.agentId, phoneConnectionId: phone.connection.id, instanceId: uuid() },
    ...fields,
  })
  await phone.service.database.stores.phoneCalls.insert(call)
  return call.id
}

const hasEnded = (id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await phone.client.call<PhoneCall>('GET', `/api/v1/PhoneCall/${id}`)
      expect(body.state).toBe('ended')
      return body
    },
    { timeout: 30_000, interval: 50 },
  )

describe('the usage of a call', () => {
  test('is its duration, counted once when it ends [TEL-31]', async () => {
    const { stream } = await phone.incoming()
    const running = await phone.newest({ state: 'active' })
    expect((await telephoneUsage()).items).toEqual([])
    stream.stop()
    const call = await phone.newest({ id: running.id, state: 'ended' })
    const milliseconds = Date.parse(call.endedAt ?? '') - Date.parse(call.answeredAt ?? '')
    const usage = await telephoneUsage('&GroupBy=agent,connection,model,endUser')
    expect(usage.items).toMatchObject([
      {
        group: {
          ...{ agentId: phone.agentId, connectionId: phone.connection.id, model: 'twilio' },
          endUserId: call.endUserId,
        },
        ...{ audioSeconds: milliseconds / 1000, seconds: 0, responses: 0, sessions: 0 },
        cost: { unpricedSeconds: 0, unpricedTokens: 0 },
      },
    ])
    expect(usage.totals.cost.amount).toBeCloseTo((milliseconds / minute) * 0.5, 6)
    expect(usage.names[phone.connection.id]).toBe('Twilio')
  })

  test('counts once if the instance of the call has died, and nothing if it was not answered [TEL-31]', async () => {
    const before = (await telephoneUsage()).totals.audioSeconds
    const [lost, unanswered] = [
      await addLostCall(),
      await addLostCall({ state: 'ringing', answeredAt: null }),
    ]
    const call = await hasEnded(lost)
    await hasEnded(unanswered)
    const { totals } = await telephoneUsage()
    const exact = (Date.parse(call.endedAt ?? '') - Date.parse(call.answeredAt ?? '')) / 1000
    expect(totals.audioSeconds - before).toBeCloseTo(exact, 6)
  })

  test('is reported as unpriced without a price [TEL-32]', async () => {
    const call = await hasEnded(await addLostCall({ direction: 'outgoing' }))
    const { totals } = await telephoneUsage()
    const exact = (Date.parse(call.endedAt ?? '') - Date.parse(call.answeredAt ?? '')) / 1000
    expect(totals.cost.unpricedSeconds).toBeCloseTo(exact, 6)
  })

  test('counts for budgets, which prevent the next call when they are used up [TEL-32]', async () => {
    const budget = { name: 'Minutes', agentId: phone.agentId, period: 'day', limit: { amount: 3 } }
    const made = await phone.client.call<{ id: string }>('POST', '/api/v1/Budget', { body: budget })
    const read = () => phone.client.call('GET', `/api/v1/Budget/${made.body.id}`)
    expect((await read()).body).toMatchObject({ state: 'open' })
    await hasEnded(await addLostCall({ answeredAt: new Date(Date.now() - 10 * minute).toISOString() }))
    expect((await read()).body).toMatchObject({ state: 'exceeded' })
    const body = { to: '+4930654321', from: ownNumber }
    const refused = await phone.client.call<Problem>('POST', `/api/v1/Agent/${phone.agentId}/call`, { body })
    expect(refused.body.errorCode).toBe('BudgetExceeded')
  })
})
