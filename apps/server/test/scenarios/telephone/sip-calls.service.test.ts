import type { PhoneCall, PhoneNumber, Problem } from '@parley/contract'
import type { Leg } from '@parley/telephone'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestLine } from '../../../../../packages/telephone/test/support/programs/test-line.js'
import { refuseRows } from '../../support/services/refuse-rows.js'
import { spoken } from '../../support/telephone/phone-service.js'
import {
  callerNumber,
  createIn,
  ownNumber,
  type SipService,
  startSipService,
} from '../../support/telephone/sip-service.js'

const guest = '+4930654321'

let sip: SipService
/** Handles calls of the service at the exchange. */
let onCall: (leg: Leg) => void

beforeAll(async () => {
  sip = await startSipService({ onCall: (leg) => onCall(leg) })
})

afterAll(() => sip.close())

const patchNumber = (body: object) =>
  sip.client.call<PhoneNumber>('PATCH', `/api/v1/PhoneNumber/${sip.number.id}`, { body })

const transfer = ({ id }: PhoneCall, to: string) =>
  sip.client.call<Problem>('POST', `/api/v1/PhoneCall/${id}/transfer`, { body: { to } })

describe('an incoming SIP call', () => {
  test('rings until the session is configured in its codec, and then sound flows [SIP-8] [TEL-1] [TEL-2]', async () => {
    const call = sip.callIn()
    const model = await sip.provider.accept()
    const update = await model.inbox.takeType('session.update')
    const format = { format: { type: 'audio/pcmu' } }
    expect(update).toMatchObject({ session: { audio: { input: format, output: format } } })
    await call.until('ringing')
    expect(call.events).not.toContain('answered')
    model.send({ type: 'session.updated', session: {} })
    expect(JSON.stringify(await model.inbox.takeType('response.create'))).toContain('Good day.')
    await call.until('answered')
    const row = await sip.newest({
      state: 'active',
      direction: 'incoming',
      from: callerNumber,
      to: ownNumber,
    })
    expect(row.endUserId).not.toBeNull()

    call.leg?.play(Buffer.alloc(1600, 0x55))
    await expect
      .poll(async () => String((await model.inbox.takeType('input_audio_buffer.append')).audio))
      .toContain(Buffer.alloc(60, 0x55).toString('base64'))
    model.send(spoken('item_1', Buffer.alloc(1600, 0x33)))
    await expect.poll(() => call.received.includes(0x33)).toBe(true)

    call.leg?.hangUp()
    await sip.newest({ id: row.id, state: 'ended', endReason: 'hung_up', endDetail: null })
    expect((await model.inbox.closed).code).toBe(1000)
  })

  test('has a session in A-law if the caller offers nothing else [SIP-8]', async () => {
    const server = { host: '127.0.0.1', port: sip.port, transport: 'udp' } as const
    const european = await openTestLine({ server, codecs: ['g711_alaw'] })
    const call = european.dial(`sip:${ownNumber}@127.0.0.1:${sip.port}`)
    const model = await sip.provider.accept()
    const format = { format: { type: 'audio/pcma' } }
    expect(await model.inbox.takeType('session.update')).toMatchObject({
      session: { audio: { input: format, output: format } },
    })
    model.send({ type: 'session.updated', session: {} })
    await call.until('answered')
    expect(call.leg?.codec).toBe('g711_alaw')
    call.leg?.hangUp()
    await sip.newest({ state: 'ended' })
  })

  test('passes pressed keys on to the model, and is ended by the API [TEL-4] [TEL-7]', async () => {
    const { call, model, row } = await sip.incoming()
    call.leg?.digits('12#')
    const item = await model.inbox.takeType('conversation.item.create')
    expect(JSON.stringify(item)).toContain('pressed the keys 12#')
    await sip.client.call('POST', `/api/v1/PhoneCall/${row.id}/hang-up`)
    expect(await call.untilEnded()).toEqual({ kind: 'hung_up_by_peer' })
    await sip.newest({ id: row.id, state: 'ended', endReason: 'stopped' })
  })

  test('does not send the sound of a held call to the model [SIP-12]', async () => {
    const { call, model } = await sip.incoming()
    call.leg?.hold(true)
    call.leg?.play(Buffer.alloc(8000, 0x44))
    await call.until('played  1000')
    call.leg?.hold(false)
    call.leg?.play(Buffer.alloc(800, 0x55))
    const heard = async () =>
      Buffer.from(String((await model.inbox.takeType('input_audio_buffer.append')).audio), 'base64')
    let sound = await heard()
    while (!sound.includes(0x55)) {
      expect(sound.includes(0x44)).toBe(false)
      sound = await heard()
    }
    call.leg?.hangUp()
    await sip.newest({ state: 'ended' })
  })

  test('continues after it was held for longer than the idle timeout of sessions [TEL-64]', async () => {
    const env = { PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: '1' }
    const impatient = await startSipService({ env })
    const { call, model, row } = await impatient.incoming()
    call.leg?.hold(true)
    call.leg?.play(Buffer.alloc(20_000, 0x44))
    await call.until('played  2500')
    call.leg?.hold(false)
    call.leg?.play(Buffer.alloc(800, 0x55))
    await model.inbox.takeType('input_audio_buffer.append')
    call.leg?.hangUp()
    await impatient.newest({ id: row.id, state: 'ended', endReason: 'hung_up' })
    await impatient.close()
  })

  test('finds its number by the called one in every format, and by the account with a single number [SIP-5]', async () => {
    for (const called of [ownNumber, '004930123456', 'parley', 'reception']) {
      const call = sip.callIn(called)
      await sip.provider.accept()
      await sip.newest({ state: 'ringing', to: ownNumber })
      call.leg?.hangUp()
      await sip.newest({ state: 'ended', endReason: 'hung_up' })
    }
    const second = await createIn<PhoneNumber>(sip, 'PhoneNumber', {
      ...{ name: 'Bar', number: '+4930123457', agentId: sip.agentId, phoneConnectionId: sip.connection.id },
    })
    const call = sip.callIn('030123457')
    await sip.provider.accept()
    await sip.newest({ state: 'ringing', to: second.number })
    call.leg?.hangUp()
    await sip.newest({ state: 'ended' })
    for (const unknown of ['parley', '+4930123458', '3012345'])
      expect(await sip.callIn(unknown).untilEnded()).toEqual({ kind: 'rejected', status: 404 })
    await sip.client.call('DELETE', `/api/v1/PhoneNumber/${second.id}`)
  })

  test('is rejected if the caller is unwelcome, the line is busy, or no agent can talk [SIP-6]', async () => {
    await patchNumber({ blockedCallers: ['+4930765'] })
    expect(await sip.callIn().untilEnded()).toEqual({ kind: 'declined', status: 603 })
    await sip.newest({ state: 'ended', endReason: 'rejected' })
    await patchNumber({ blockedCallers: [], agentId: null })
    expect(await sip.callIn().untilEnded()).toEqual({ kind: 'no_answer' })
    await patchNumber({ agentId: sip.agentId })

    const broken = sip.callIn()
    const model = await sip.provider.accept()
    model.socket.close()
    expect(await broken.untilEnded()).toEqual({ kind: 'no_answer' })
    await sip.newest({ state: 'ended', endReason: 'failed' })

    await sip.patchConnection({ maxCalls: 1 })
    const { call } = await sip.incoming()
    expect(await sip.callIn().untilEnded()).toEqual({ kind: 'busy', status: 486 })
    await sip.newest({ state: 'ended', endReason: 'busy' })
    call.leg?.hangUp()
    await call.untilEnded()
    await sip.patchConnection({ maxCalls: 10 })
  })

  test('of an anonymous caller has no end user [SIP-7] [TEL-2]', async () => {
    const call = sip.callIn(ownNumber, 'anonymous')
    const model = await sip.provider.accept()
    model.send({ type: 'session.updated', session: {} })
    await call.until('answered')
    expect(await sip.newest({ state: 'active' })).toMatchObject({ from: null, endUserId: null })
    call.leg?.hangUp()
    await sip.newest({ state: 'ended' })
  })

  test('that is cancelled while its session is prepared ends as hung up [SIP-13]', async () => {
    const calls = [sip.callIn(), sip.callIn()]
    const models = [await sip.provider.accept(), await sip.provider.accept()]
    for (const call of calls) call.leg?.hangUp()
    for (const model of models) await model.inbox.closed
    await expect
      .poll(async () => {
        const { body } = await sip.client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=2')
        return body.items.map(({ endReason }) => endReason)
      })
      .toEqual(['hung_up', 'hung_up'])
  })
})

describe('an outgoing SIP call', () => {
  test('is dialed once, and connects the called party in its codec [SIP-8] [TEL-12]', async () => {
    onCall = (leg) => leg.ring()
    const made = await sip.callOut()
    const ringing = await sip.peer.nextCall()
    expect([ringing.leg?.from, ringing.leg?.to]).toEqual([
      `sip:${ownNumber}@127.0.0.1`,
      expect.stringContaining(`sip:${guest}@127.0.0.1`),
    ])
    await sip.newest({ id: made.id, state: 'ringing', providerCallId: expect.any(String) })
    ringing.leg?.accept()
    const model = await sip.provider.accept()
    expect(JSON.stringify(await model.inbox.takeType('session.update'))).toContain('audio/pcmu')
    model.send({ type: 'session.updated', session: {} })
    await sip.newest({ id: made.id, state: 'active', conversationId: made.conversationId })
    model.send(spoken('item_1', Buffer.alloc(1600, 0x33)))
    await expect.poll(() => ringing.received.includes(0x33)).toBe(true)
    ringing.leg?.hangUp()
    await sip.newest({ id: made.id, state: 'ended', endReason: 'hung_up' })
  })

  test.each([
    [486, 'busy', null],
    [603, 'rejected', null],
    [480, 'no_answer', null],
    [404, 'failed', 'The provider rejected the call (404).'],
  ])('ends with the outcome of the answer %i [SIP-10]', async (status, endReason, endDetail) => {
    onCall = (leg) => leg.reject(status)
    const { id } = await sip.callOut()
    await sip.newest({ id, state: 'ended', endReason, endDetail, answeredAt: null })
    await sip.peer.nextCall()
  })

  test('ends with its outcome and time if the database refuses the end at first [TEL-28]', async () => {
    onCall = (leg) => leg.ring()
    const { id } = await sip.callOut()
    const ringing = await sip.peer.nextCall()
    await sip.newest({ id, state: 'ringing' })
    const condition = `new.id = '${id}' and new.state = 'ended'`
    const allow = await refuseRows(sip.databaseUrl ?? '', 'phone_call', { event: 'update', condition })
    ringing.leg?.reject(486)
    await expect.poll(() => sip.log.join()).toContain('a change of a call was not stored')
    const moment = new Date().toISOString()
    await allow()
    const { endedAt } = await sip.newest({ id, state: 'ended', endReason: 'busy' })
    expect(endedAt?.localeCompare(moment)).toBe(-1)
  })

  test('is cancelled by hanging up while it rings [SIP-10] [TEL-7]', async () => {
    onCall = (leg) => leg.ring()
    const { id } = await sip.callOut()
    const ringing = await sip.peer.nextCall()
    await sip.newest({ id, state: 'ringing' })
    await sip.client.call('POST', `/api/v1/PhoneCall/${id}/hang-up`)
    expect(await ringing.untilEnded()).toEqual({ kind: 'cancelled' })
    await sip.newest({ id, state: 'ended', endReason: 'stopped' })
  })
})

describe('a transfer of a SIP call', () => {
  test('asks the exchange by REFER, and reports its refusal [SIP-11]', async () => {
    const { call, row } = await sip.incoming()
    // The endpoint at the other end refuses every transfer.
    const refused = await transfer(row, guest)
    expect(refused.body).toMatchObject({ status: 409, detail: 'The provider refused the transfer (603).' })
    expect((await transfer(row, '+15550100')).status).toBe(400)
    expect(call.end).toBeNull()
    call.leg?.hangUp()
    await sip.newest({ id: row.id, state: 'ended' })
    expect((await transfer(row, guest)).status).toBe(409)
  })
})

// The last test: its account gets a new line.
test('an account with `callerId` and `numberFormat` calls with its own name in From [SIP-18] [SIP-19]', async () => {
  onCall = (leg) => leg.reject(486)
  const changed = { ...sip.connection.sip, callerId: 'p_preferred_identity', numberFormat: 'digits' }
  await sip.patchConnection({ sip: changed })
  const { id } = await sip.callOut()
  const { leg } = await sip.peer.nextCall()
  expect([leg?.from, leg?.to]).toEqual([
    'sip:parley@127.0.0.1',
    expect.stringContaining(`sip:${guest.slice(1)}@127.0.0.1`),
  ])
  await sip.newest({ id, state: 'ended' })
})
