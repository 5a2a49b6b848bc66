import type { PhoneConnection } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'
import { authToken } from '../../support/telephone/scripted-twilio.js'

const limit = 30

let phone: PhoneService
let other: PhoneConnection

beforeAll(async () => {
  phone = await startPhoneService({ env: { PARLEY_RATE_LIMIT_PER_MINUTE: String(limit) } })
  const account = { kind: 'twilio', accountId: 'AC2', secret: authToken }
  const body = { name: 'Other', ...account, baseUrl: phone.twilio.baseUrl }
  other = (await phone.client.call<PhoneConnection>('POST', '/api/v1/PhoneConnection', { body })).body
})

afterAll(() => phone.close())

const report = async (phoneConnectionId: string, signature?: string) => {
  const url = `${phone.url}/phone/${phoneConnectionId}/status`
  const form = { CallSid: uuid(), CallStatus: 'completed' }
  return (await phone.twilio.send(url, form, signature)).status
}

const media = async (phoneConnectionId: string) => {
  const url = `${phone.url.replace('http', 'ws')}/phone/${phoneConnectionId}/media`
  const stream = await phone.twilio.stream({ url, token: 'unknown' }, uuid())
  return (await stream.inbox.closed).code
}

describe('the rate limit for unauthenticated requests', () => {
  test('counts only requests of telephone providers that fail to prove their origin [TEL-25]', async () => {
    const { id } = phone.connection
    const authentic = new Set<number>()
    for (let request = 0; request < 2 * limit; request += 1) authentic.add(await report(id))
    expect(authentic).toEqual(new Set([204]))
    for (let request = 0; request < limit + 5; request += 1) expect(await media(id)).toBe(1008)
    expect(await report(other.id, 'AAAA')).toBe(403)

    const forged: number[] = []
    for (let request = 0; request < limit + 5; request += 1) forged.push(await report(uuid(), 'AAAA'))
    expect(forged.filter((status) => status === 403)).toHaveLength(limit - 1)
    expect(forged.at(-1)).toBe(429)
    // A phone connection whose provider has proven its origin is not affected.
    expect(await report(id)).toBe(204)
    expect(await media(id)).toBe(1008)
    expect(await report(other.id)).toBe(429)
    // Forged requests for a proven phone connection have a limit of their own.
    const aimed: number[] = []
    for (let request = 0; request < limit + 5; request += 1) aimed.push(await report(id, 'AAAA'))
    expect(aimed.filter((status) => status === 403)).toHaveLength(limit)
    expect(aimed.at(-1)).toBe(429)
  })
})
