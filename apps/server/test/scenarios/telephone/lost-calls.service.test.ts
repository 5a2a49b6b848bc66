import type { PhoneCall } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PhoneCallRecord } from '#server/ports/phone-stores.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { refuseRows } from '../../support/services/refuse-rows.js'
import { makePhoneCall } from '../../support/stores/phone-records.js'
import { type PhoneService, startPhoneService } from '../../support/telephone/phone-service.js'
import { streamIn } from '../../support/telephone/scripted-twilio.js'

const patiently = { timeout: 30_000, interval: 50 }
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** The service looks for lost calls every two seconds. */
const env = { PARLEY_LEASE_SECONDS: '6' }

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService({ env })
})

afterAll(() => phone.close())

const run = (statement: string, values: readonly unknown[] = []) =>
  withPostgresClient(phone.databaseUrl ?? '', (client) => client.query(statement, [...values]))

const refuse = (table: string, event: 'insert' | 'update', condition: string) =>
  refuseRows(phone.databaseUrl ?? '', table, { event, condition })

const logged = (text: string) =>
  vi.waitFor(() => expect(phone.log.filter((line) => line.includes(text))).not.toEqual([]), patiently)

/** Adds an open call that the service does not run. */
async function addCall(fields: Partial<PhoneCallRecord>): Promise<string> {
  const call = makePhoneCall(phone.organizationId, {
    ...{ state: 'active', endReason: null, endDetail: null, endedAt: null, endRequestedAt: null },
    ...{ answeredAt: ago(2), updatedAt: ago(2), phoneConnectionId: phone.connection.id },
    ...fields,
  })
  await phone.service.database.stores.phoneCalls.insert(call)
  return call.id
}

const read = async (id: string) => (await phone.client.call<PhoneCall>('GET', `/api/v1/PhoneCall/${id}`)).body

const until = (id: string, fields: object) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject(fields), patiently)

describe('a call that cannot be stored', () => {
  test('ends later with the original time and reason [TEL-28]', async () => {
    const { stream } = await phone.incoming()
    const { id } = await phone.newest({ state: 'active' })
    const allow = await refuse('phone_call', 'update', `new.id = '${id}' and new.state = 'ended'`)
    stream.stop()
    await logged('a change of a call was not stored')
    const moment = new Date().toISOString()
    await allow()
    await until(id, { state: 'ended', endReason: 'hung_up' })
    expect((await read(id)).endedAt?.localeCompare(moment)).toBe(-1)
  })

  test('keeps the time of its answer, and is not taken for lost [TEL-28]', async () => {
    const callSid = uuid()
    const ringing = phone.ring(callSid)
    const model = await phone.provider.accept()
    await model.inbox.takeType('session.update')
    model.send({ type: 'session.updated', session: {} })
    const target = streamIn((await ringing).text)
    const { id } = await phone.newest({ state: 'ringing', providerCallId: callSid })
    const allow = await refuse('phone_call', 'update', `new.id = '${id}' and new.state = 'active'`)
    const before = phone.log.length
    const stream = await phone.twilio.stream(target, callSid)
    await vi.waitFor(
      () => expect(phone.log.slice(before).join()).toContain('a change of a call was not stored'),
      patiently,
    )
    await run('update phone_call set updated_at = $2 where id = $1', [id, ago(10)])
    // The end of this call shows that the service has looked for lost calls.
    const lost = await addCall({
      state: 'ringing',
      answeredAt: null,
      updatedAt: ago(10),
      instanceId: phone.instanceId,
    })
    await until(lost, { state: 'ended', endReason: 'failed' })
    expect(await read(id)).toMatchObject({ state: 'ringing', endedAt: null })
    stream.stop()
    await until(id, { state: 'ended', endReason: 'hung_up' })
    expect((await read(id)).answeredAt).not.toBeNull()
    await allow()
  })
})

describe('an open call that its instance does not run', () => {
  test('ends as failed [TEL-28]', async () => {
    const id = await addCall({ instanceId: phone.instanceId })
    await until(id, { state: 'ended', endReason: 'failed', endDetail: 'The end of the call is not known.' })
  })

  test('does not keep others open if its end cannot be recorded [TEL-29]', async () => {
    const first = await addCall({ instanceId: uuid() })
    const allow = await refuse('audit_record', 'insert', `new.resource_id = '${first}'`)
    const second = await addCall({ instanceId: uuid() })
    await until(second, { state: 'ended', endReason: 'failed' })
    expect(await read(first)).toMatchObject({ state: 'active', endedAt: null })
    await allow()
    await until(first, { state: 'ended', endReason: 'failed' })
  })
})
