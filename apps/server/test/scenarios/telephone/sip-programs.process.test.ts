import type { PhoneCall, PhoneConnection, PhoneConnectionTest, PhoneNumber } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Baresip, speech } from '../../../../../packages/telephone/test/support/programs/baresip.js'
import { startKamailio } from '../../../../../packages/telephone/test/support/programs/kamailio.js'
import { openTestLine } from '../../../../../packages/telephone/test/support/programs/test-line.js'
import { encodeSpeech, findAudio } from '../../../../../packages/telephone/test/support/programs/wav.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import type { ProviderSession } from '../../support/realtime/scripted-provider.js'
import { heardBy } from '../../support/telephone/heard-by.js'
import { spoken } from '../../support/telephone/phone-service.js'
import { createIn } from '../../support/telephone/sip-service.js'

const [own, guest, porter] = ['+4930123456', '+4930654321', '+4930111111']
const patiently = { timeout: 60_000, interval: 50 }

let running: RealtimeTestService
let kamailio: number
let baresip: Baresip
let connection: PhoneConnection

beforeAll(async () => {
  running = await startRealtimeService()
  kamailio = await startKamailio()
  connection = await createIn(running, 'PhoneConnection', {
    ...{ name: 'Kamailio', kind: 'sip', accountId: 'parley', secret: 'secret', allowedPrefixes: ['+49'] },
    sip: { host: '127.0.0.1', port: kamailio },
  })
  await createIn<PhoneNumber>(running, 'PhoneNumber', {
    ...{ name: 'Desk', number: own, phoneConnectionId: connection.id, agentId: running.agentId },
  })
  await untilConnection({ state: 'ready', failure: null })
  const proxy = `;auth_user=peer;auth_pass=secret;regint=60;outbound="sip:127.0.0.1:${kamailio}"`
  baresip = await Baresip.start({ address: `sip:${guest}@127.0.0.1`, account: proxy, isRegistered: true })
})

afterAll(() => running.close())

const untilConnection = (fields: object) =>
  vi.waitFor(async () => {
    const path = `/api/v1/PhoneConnection/${connection.id}`
    expect((await running.client.call('GET', path)).body).toMatchObject(fields)
  }, patiently)

const newest = (fields: object) =>
  vi.waitFor(async () => {
    const { body } = await running.client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=1')
    expect(body.items[0]).toMatchObject(fields)
    return body.items[0] as PhoneCall
  }, patiently)

/** A model that is ready at once, and says the greeting. */
async function answerAsModel(): Promise<ProviderSession> {
  const model = await running.provider.accept()
  await model.inbox.takeType('session.update')
  model.send({ type: 'session.updated', session: {} })
  return model
}

/** Calls the service with baresip. */
async function called() {
  baresip.command('dial', `sip:parley@127.0.0.1:${kamailio}`)
  const model = await answerAsModel()
  await model.inbox.takeType('response.create')
  return { model, call: await newest({ state: 'active', from: guest, to: own }) }
}

describe('the service, registered at Kamailio', () => {
  test('answers baresip, and both hear each other [SIP-8] [TEL-1]', async () => {
    const { call, model } = await called()
    model.send(spoken('item_1', encodeSpeech(speech)))
    // The greeting lasts four seconds.
    await expect.poll(() => heardBy(model).length).toBeGreaterThan(8000 * 5)
    expect(findAudio(speech, heardBy(model), 4000, 8000).correlation).toBeGreaterThan(0.99)
    baresip.command('sndcode', '5')
    baresip.command('sndcode', String.fromCharCode(4))
    const item = await model.inbox.takeType('conversation.item.create')
    expect(JSON.stringify(item)).toContain('pressed the keys 5')
    baresip.command('hangup')
    await newest({ id: call.id, state: 'ended', endReason: 'hung_up' })
    await vi.waitFor(async () => {
      const heard = await baresip.heard()
      expect(findAudio(speech, heard, 8000, 16_000).correlation).toBeGreaterThan(0.9)
    }, patiently)
  })

  test('transfers a call of baresip to another telephone [SIP-11]', async () => {
    const server = { host: '127.0.0.1', port: kamailio, transport: 'udp' } as const
    const colleague = await openTestLine({ server, username: porter, isRegistered: true })
    await colleague.untilRegistered()
    const { call } = await called()
    const path = `/api/v1/PhoneCall/${call.id}/transfer`
    const transferred = await running.client.call('POST', path, { body: { to: porter } })
    expect(transferred.status).toBe(204)
    await newest({ id: call.id, state: 'ended', endReason: 'transferred' })
    const reached = await colleague.nextCall()
    await reached.hears(1)
    reached.leg?.hangUp()
    await reached.untilEnded()
  })

  test('calls baresip, and hangs up [SIP-8] [SIP-10]', async () => {
    const body = { to: guest, from: own }
    const made = await createIn<PhoneCall>(running, `Agent/${running.agentId}/call`, body)
    const model = await answerAsModel()
    await newest({ id: made.id, state: 'active' })
    await expect.poll(() => heardBy(model).length).toBeGreaterThan(8000 * 2)
    expect(findAudio(speech, heardBy(model), 4000, 8000).correlation).toBeGreaterThan(0.99)
    await running.client.call('POST', `/api/v1/PhoneCall/${made.id}/hang-up`)
    await newest({ id: made.id, state: 'ended', endReason: 'stopped' })
  })

  test('does not reach unknown numbers [SIP-10]', async () => {
    const body = { to: '+4930999999', from: own }
    const { id } = await createIn<PhoneCall>(running, `Agent/${running.agentId}/call`, body)
    await newest({ id, endReason: 'failed', endDetail: 'The provider rejected the call (404).' })
  })

  test('shows a wrong password as the state of the account [SIP-2]', async () => {
    const path = `/api/v1/PhoneConnection/${connection.id}`
    const patch = (secret: string) => running.client.call('PATCH', path, { body: { secret } })
    await patch('wrong')
    await untilConnection({ state: 'failed', failure: expect.stringContaining('password (401)') })
    const tested = await running.client.call<PhoneConnectionTest>('POST', `${path}/test`)
    expect(tested.body).toMatchObject({ ok: false, providerStatus: 401 })
    await patch('secret')
    await untilConnection({ state: 'ready', failure: null })
  })
})
