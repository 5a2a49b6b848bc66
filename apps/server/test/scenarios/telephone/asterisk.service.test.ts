import type { PhoneCall, PhoneConnection, PhoneNumber, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { type CarrierStream, framesOf, openMedia } from '../../support/telephone/carrier-desk.js'
import { spoken } from '../../support/telephone/phone-service.js'

const patiently = { timeout: 30_000, interval: 20 }
const own = '+4930123456'
const sound = Buffer.alloc(160, 0x55)

let running: RealtimeTestService
let connection: PhoneConnection
let callCount = 0

const call = <Body>(method: string, path: string, body?: object) =>
  running.client.call<Body & Problem>(method, `/api/v1/${path}`, body && { body })

const authorization = (password = 'a-password') => `Basic ${btoa(`exchange:${password}`)}`

const mediaUrl = (fields: Readonly<Record<string, string>>) =>
  `${running.url.replace('http', 'ws')}/phone/${connection.id}/media?${new URLSearchParams(fields)}`

/** Opens the socket of a call, as the dialplan of an Asterisk does. */
async function open(fields: Readonly<Record<string, string>> = {}): Promise<CarrierStream> {
  callCount += 1
  const url = mediaUrl({ id: `17.${callCount}`, from: '+4930765432', to: own, ...fields })
  const frames = framesOf('asterisk')
  const stream = await openMedia(frames, url, {
    headers: { authorization: authorization() },
    subprotocols: ['media'],
  })
  for (const frame of frames.startOf({ callId: `17.${callCount}`, token: '' })) stream.socket.send(frame)
  return stream
}

/** Returns the status with which the service refuses a handshake. */
const refusalOf = (url: string, headers: Readonly<Record<string, string>>) =>
  new Promise<number>((resolve, reject) => {
    const socket = new WebSocket(url, ['media'], { headers: { ...headers } })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      resolve(statusCode)
      socket.terminate()
    })
    socket.on('open', () => reject(new Error('The handshake was accepted.')))
    socket.on('error', () => undefined)
  })

const newest = (fields: object): Promise<PhoneCall> =>
  vi.waitFor(async () => {
    const { body } = await call<{ items: PhoneCall[] }>('GET', 'PhoneCall?Limit=1')
    expect(body.items[0]).toMatchObject(fields)
    return body.items[0] as PhoneCall
  }, patiently)

const commandsOf = ({ inbox }: CarrierStream) =>
  inbox.all.filter(({ isBinary }) => !isBinary).map(({ data }) => data.toString())

beforeAll(async () => {
  running = await startRealtimeService()
  const account = { kind: 'asterisk', accountId: 'exchange', secret: 'a-password' }
  const made = await call<PhoneConnection>('POST', 'PhoneConnection', {
    ...{ name: 'Exchange', ...account, allowedPrefixes: ['+49'] },
  })
  connection = made.body
  await call<PhoneNumber>('POST', 'PhoneNumber', {
    ...{ name: 'Desk', number: own, phoneConnectionId: connection.id, agentId: running.agentId },
    greeting: 'Good day.',
  })
})

afterAll(() => running.close())

describe('a call of an Asterisk', () => {
  test('starts with the handshake, and is answered when the model is ready [TEL-22]', async () => {
    const path = `PhoneConnection/${connection.id}`
    const tested = await call<{ ok: boolean; detail: string }>('POST', `${path}/test`)
    expect(tested.body).toMatchObject({ ok: true, providerStatus: null })
    expect(tested.body.detail).toContain('checked when the first call')
    expect((await call<PhoneConnection>('GET', path)).body.state).toBe('unknown')

    const stream = await open()
    expect(stream.socket.protocol).toBe('media')
    const model = await running.provider.accept()
    await model.inbox.takeType('session.update')
    const { id } = await newest({ state: 'ringing', from: '+4930765432', to: own, direction: 'incoming' })
    expect(commandsOf(stream)).toEqual([])
    model.send({ type: 'session.updated', session: {} })
    expect((await stream.inbox.take()).data.toString()).toBe('ANSWER')
    await newest({ id, state: 'active' })
    expect((await call<PhoneConnection>('GET', path)).body.state).toBe('ready')

    stream.speak(sound)
    const heard = await model.inbox.takeType('input_audio_buffer.append')
    expect(heard.audio).toBe(sound.toString('base64'))
    model.send(spoken('item_1', sound))
    expect((await stream.heard()).equals(sound)).toBe(true)
    stream.press('5')
    const pressed = await model.inbox.takeType('conversation.item.create')
    expect(JSON.stringify(pressed)).toContain('pressed the keys 5')

    await call('POST', `PhoneCall/${id}/hang-up`)
    await stream.inbox.closed
    expect(commandsOf(stream).at(-1)).toBe('HANGUP')
    await newest({ id, state: 'ended', endReason: 'stopped' })
    expect((await model.inbox.closed).code).toBe(1000)
  })

  test('takes a number whose plus sign the dialplan has not encoded, and needs no ID [TEL-22]', async () => {
    const streams = [
      await open({ id: '', to: own.replace('+', ' ') }),
      await open({ id: '', to: own.slice(1) }),
    ]
    for (const stream of streams) {
      const model = await running.provider.accept()
      model.send({ type: 'session.updated', session: {} })
      expect((await stream.inbox.take()).data.toString()).toBe('ANSWER')
    }
    for (const { socket } of streams) socket.close()
    await newest({ state: 'ended', endReason: 'hung_up' })
  })

  test('is hung up if the agent cannot talk [TEL-22]', async () => {
    const agent = `Agent/${running.agentId}`
    await call('PATCH', agent, { realtimeModel: 'missing' })
    const stream = await open()
    await stream.inbox.closed
    await newest({ state: 'ended', endReason: 'failed' })
    await call('PATCH', agent, { realtimeModel: null })
  })

  test('leaves no trace with a wrong password, and is refused for an unknown number [TEL-9] [TEL-22]', async () => {
    const before = await newest({})
    const url = mediaUrl({ id: '99.1', from: '+4930765432', to: own })
    expect(await refusalOf(url, { authorization: authorization('wrong') })).toBe(403)
    expect(await refusalOf(url, {})).toBe(403)
    const valid = { authorization: authorization() }
    expect(await refusalOf(mediaUrl({ id: '99.2', to: '+4930000000' }), valid)).toBe(403)
    expect(await refusalOf(mediaUrl({ id: '99.3' }), valid)).toBe(400)
    expect((await newest({})).id).toBe(before.id)
    await call('PATCH', `PhoneConnection/${connection.id}`, { maxCalls: 1 })
    const stream = await open()
    const model = await running.provider.accept()
    model.send({ type: 'session.updated', session: {} })
    await stream.inbox.take()
    expect(await refusalOf(url, valid)).toBe(429)
    stream.socket.close()
    await call('PATCH', `PhoneConnection/${connection.id}`, { maxCalls: 10 })
  })

  test('cannot be made or transferred [TEL-23]', async () => {
    const detail = 'Phone connections of kind asterisk only receive calls. Use kind sip to make calls.'
    const made = await call('POST', `Agent/${running.agentId}/call`, { to: '+4930765432', from: own })
    expect(made.body).toMatchObject({ status: 409, detail })
    const stream = await open()
    const model = await running.provider.accept()
    model.send({ type: 'session.updated', session: {} })
    const { id } = await newest({ state: 'active' })
    const transferred = await call('POST', `PhoneCall/${id}/transfer`, { to: '+4930765432' })
    expect(transferred.body).toMatchObject({
      status: 409,
      detail: expect.stringContaining('cannot transfer'),
    })
    stream.socket.close()
    await newest({ id, state: 'ended' })
  })
})
