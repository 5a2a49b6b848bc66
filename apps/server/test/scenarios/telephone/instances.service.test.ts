import type { PhoneCall } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'
import {
  callerNumber,
  ownNumber,
  type PhoneService,
  startPhoneService,
} from '../../support/telephone/phone-service.js'
import { streamIn } from '../../support/telephone/scripted-twilio.js'

let postgres: PostgresDatabase
let phone: PhoneService
let other: RunningService
/** A client of the other instance. */
let elsewhere: ApiClient

beforeAll(async () => {
  postgres = await migratedDatabase()
  const env = { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' }
  phone = await startPhoneService({ env })
  other = await startService({ env })
  elsewhere = makeApiClient(other.url, phone)
})

afterAll(async () => {
  await other.close()
  await phone.close()
  await postgres.drop()
})

test('another instance ends a call, and the instance that runs it hangs up [TEL-7] [TEL-60]', async () => {
  const { callSid, model, stream } = await phone.incoming()
  const call = await phone.newest({ state: 'active' })
  const path = `/api/v1/PhoneCall/${call.id}`
  expect((await elsewhere.call('POST', `${path}/hang-up`)).status).toBe(204)
  await vi.waitFor(
    async () =>
      expect((await elsewhere.call<PhoneCall>('GET', path)).body).toMatchObject({
        ...{ state: 'ended', endReason: 'stopped' },
      }),
    { timeout: 15_000, interval: 50 },
  )
  expect((await model.inbox.closed).code).toBe(1000)
  expect((await stream.inbox.closed).code).toBe(1000)
  const { path: hungUp, form } = await phone.twilio.nextCall()
  expect([hungUp.includes(callSid), form.get('Status')]).toEqual([true, 'completed'])
  const audit = await phone.client.call('GET', '/api/v1/AuditLog?Action=phone_call.end')
  expect(audit.body).toMatchObject({ totalCount: 1 })
})

test('the audio of a call may arrive at another instance, which then runs the call [TEL-60]', async () => {
  const callSid = uuid()
  const form = { CallSid: callSid, From: callerNumber, To: ownNumber, CallStatus: 'ringing' }
  const ringing = phone.twilio.send(`${phone.webhooks}/answer`, form)
  const first = await phone.provider.accept()
  first.send({ type: 'session.updated', session: {} })
  const target = streamIn((await ringing).text)
  const url = target.url.replace(new URL(phone.url).host, new URL(other.url).host)
  // The signature covers the public URL, which is the same for all instances behind a load balancer.
  const stream = await phone.twilio.stream({ url, token: target.token }, callSid)
  const second = await phone.provider.accept()
  second.send({ type: 'session.updated', session: {} })
  await phone.newest({ state: 'active', providerCallId: callSid })
  const sound = Buffer.alloc(160, 0x55)
  stream.speak(sound)
  await second.inbox.takeType('input_audio_buffer.append')
  stream.stop()
  await phone.newest({ state: 'ended', endReason: 'hung_up' })
})
