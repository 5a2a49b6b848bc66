import type { PhoneCall } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeTimers, systemTimers } from '#server/adapters/system/timers.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import { type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'
import { streamIn } from '../../support/telephone/scripted-twilio.js'

const patiently = { timeout: 30_000, interval: 20 }

/** The limits of a prepared call do not end it, so that only the other instance can. */
const withoutLimits = makeTimers({
  monotonic: () => systemTimers.monotonic(),
  after: (milliseconds, action) =>
    milliseconds === 10_000 || milliseconds === 20_000
      ? () => undefined
      : systemTimers.after(milliseconds, action),
})

let database: Awaited<ReturnType<typeof migratedDatabase>>
let first: PhoneService
let second: RunningService

beforeAll(async () => {
  database = await migratedDatabase()
  first = await startPhoneService({ env: { DATABASE_URL: database.url }, timers: withoutLimits })
  const env = { DATABASE_URL: database.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
  second = await startService({ env })
})

afterAll(async () => {
  await second.close()
  await first.close()
  await database.drop()
})

/** A call that the first instance has prepared. */
async function prepare() {
  const callSid = uuid()
  const ringing = first.ring(callSid)
  const model = await first.provider.accept()
  await model.inbox.takeType('session.update')
  model.send({ type: 'session.updated', session: {} })
  await model.inbox.takeType('response.create')
  return { callSid, ringing, model }
}

describe('an incoming call whose audio reaches another instance', () => {
  test.each([
    ['before the first instance has stored a greeting', false],
    ['after the first instance has stored its unheard greeting', true],
  ])('is greeted once there, and ends at once on the first instance: %s [TEL-21]', async (_, isStored) => {
    const { callSid, ringing, model } = await prepare()
    const { url, token } = streamIn((await ringing).text)
    if (isStored) {
      const ids = { response_id: 'r', item_id: 'item_1', output_index: 0, content_index: 0 }
      model.send({ type: 'response.output_audio_transcript.done', ...ids, transcript: 'Good day.' })
      const { conversationId } = await first.newest({ providerCallId: callSid })
      await vi.waitFor(async () => {
        const path = `/api/v1/Conversation/${conversationId}/message`
        expect((await first.client.call<{ items: object[] }>('GET', path)).body.items).toHaveLength(1)
      }, patiently)
    }
    const there = url.replace(first.url.replace('http', 'ws'), second.url.replace('http', 'ws'))
    const stream = await first.twilio.stream({ url: there, token }, callSid)
    const other = await first.provider.accept()
    await other.inbox.takeType('session.update')
    expect((await model.inbox.closed).code).toBe(1000)
    other.send({ type: 'session.updated', session: {} })
    await first.newest({ state: 'active', providerCallId: callSid })
    stream.press('5')
    const requests: string[] = []
    // The pressed key is the second reason for a response.
    for (let count = 0; count < 2; count += 1)
      requests.push(JSON.stringify(await other.inbox.takeType('response.create')))
    expect(requests.map((request) => request.includes('Good day.'))).toEqual([true, false])
    stream.stop()
    const ended = await first.newest({ state: 'ended', endReason: 'hung_up', providerCallId: callSid })
    expect(ended.endDetail).toBeNull()
    expect((await other.inbox.closed).code).toBe(1000)
  })
})

describe('a call whose end is reported to another instance', () => {
  test('ends on the instance that has prepared it [TEL-21]', async () => {
    const { callSid, ringing, model } = await prepare()
    await ringing
    const status = `${second.url}/phone/${first.connection.id}/status`
    await first.twilio.send(status, { CallSid: callSid, CallStatus: 'completed' })
    await first.newest({ state: 'ended', endReason: 'hung_up', providerCallId: callSid })
    expect((await model.inbox.closed).code).toBe(1000)
    const { body } = await first.client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=1')
    expect(body.items[0]?.endReason).toBe('hung_up')
  })
})
