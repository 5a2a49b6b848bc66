import { encodeG711, noticeTone } from '@parley/telephone'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type OpenCall,
  type PhoneService,
  spoken,
  startPhoneService,
} from '../../support/telephone/phone-service.js'
import { makeTestTimers } from '../../support/test-timers.js'

const tone = encodeG711(noticeTone(), 'g711_ulaw')

let phone: PhoneService

beforeAll(async () => {
  phone = await startPhoneService()
  const path = `/api/v1/PhoneNumber/${phone.number.id}`
  // The built-in voice does not speak German, so the caller hears the tone.
  await phone.client.call('PATCH', path, { body: { language: 'de-DE' } })
})

afterAll(() => phone.close())

/** Takes sound until it has this length, and confirms that it was played. */
async function hear({ stream }: OpenCall, bytes: number): Promise<Buffer> {
  const sounds: Buffer[] = []
  for (let length = 0; length < bytes; ) {
    const { media } = (await stream.take('media')) as { media?: { payload: string } }
    const sound = Buffer.from(media?.payload ?? '', 'base64')
    const { mark } = await stream.take('mark')
    sounds.push(sound)
    length += sound.length
    if (length >= bytes) stream.played(mark?.name ?? '')
  }
  return Buffer.concat(sounds)
}

describe('a call whose session ends', () => {
  test('says so if the provider of the model is lost, instead of its queued words [TEL-50]', async () => {
    const call = await phone.incoming()
    call.model.send(spoken('item_1'))
    await call.stream.take('media')
    call.model.socket.close(1011, 'Gone.')
    await call.stream.take('clear')
    expect((await hear(call, tone.length)).equals(tone)).toBe(true)
    expect((await phone.twilio.nextCall()).form.get('Status')).toBe('completed')
    const ended = await phone.newest({ state: 'ended', endReason: 'failed' })
    expect(ended.endDetail).toContain('The provider closed the connection')
  })

  test('says so if a user ends the session [TEL-50]', async () => {
    const call = await phone.incoming()
    const { realtimeSessionId } = await phone.newest({ state: 'active' })
    await phone.client.call('DELETE', `/api/v1/RealtimeSession/${realtimeSessionId}`)
    expect((await hear(call, tone.length)).equals(tone)).toBe(true)
    await phone.newest({ state: 'ended', endReason: 'stopped' })
    await phone.twilio.nextCall()
  })

  test('says so if its agent cannot continue after the maximum duration of a session [TEL-50]', async () => {
    const short = await startPhoneService({ env: { PARLEY_REALTIME_MAX_SESSION_SECONDS: '1' } })
    await short.client.call('PATCH', `/api/v1/PhoneNumber/${short.number.id}`, { body: { language: 'de' } })
    const call = await short.incoming()
    await short.client.call('PATCH', `/api/v1/Agent/${short.agentId}`, { body: { realtimeModel: 'missing' } })
    expect((await hear(call, tone.length)).equals(tone)).toBe(true)
    await short.newest({ state: 'ended', endReason: 'failed' })
    await short.close()
  })
})

describe('a call of a service that shuts down', () => {
  test('continues until the deadline, and then hears a sentence or a tone [TEL-63]', async () => {
    const timers = makeTestTimers()
    const leaving = await startPhoneService({ timers, env: { PARLEY_DRAIN_SECONDS: '20' } })
    await leaving.client.call('PATCH', `/api/v1/PhoneNumber/${leaving.number.id}`, {
      body: { language: 'de' },
    })
    const call = await leaving.incoming()
    const closing = leaving.close()
    for (let step = 0; step < 80; step += 1) timers.advance(249)
    call.stream.speak(Buffer.alloc(160, 0x55))
    await call.model.inbox.takeType('input_audio_buffer.append')
    timers.advance(80)
    expect((await hear(call, tone.length)).equals(tone)).toBe(true)
    await call.stream.inbox.closed
    await closing
  })
})

describe('the language of a phone number', () => {
  test('is the language of the transcription, and of the apology of the provider [TEL-52]', async () => {
    const { update, stream } = await phone.incoming()
    expect(update).toMatchObject({ session: { audio: { input: { transcription: { language: 'de' } } } } })
    stream.stop()
    await phone.newest({ state: 'ended' })
    const path = `/api/v1/Agent/${phone.agentId}`
    await phone.client.call('PATCH', path, { body: { realtimeModel: 'missing' } })
    const { text } = await phone.ring()
    expect(text).toContain('language="de-DE"')
    expect(text).toContain('Es tut uns leid.')
    await phone.client.call('PATCH', path, { body: { realtimeModel: null } })
  })

  test('must be a language tag [TEL-52]', async () => {
    const path = `/api/v1/PhoneNumber/${phone.number.id}`
    for (const language of ['German', 'de_DE', '', 'de"><Hangup/>'])
      expect((await phone.client.call('PATCH', path, { body: { language } })).status).toBe(400)
    for (const language of ['de', 'pt-BR', 'zh-Hans-CN', null, 'de-DE'])
      expect((await phone.client.call('PATCH', path, { body: { language } })).status).toBe(200)
  })
})

test('an anonymous caller has no end user [TEL-2]', async () => {
  const { stream } = await phone.incoming({ From: 'anonymous' })
  const call = await phone.newest({ state: 'active', from: null, endUserId: null })
  const path = `/api/v1/Conversation/${call.conversationId}`
  const { body } = await phone.client.call<{ externalUserId: string | null }>('GET', path)
  expect(body.externalUserId).toBeNull()
  stream.stop()
  await phone.newest({ state: 'ended', from: null })
})
