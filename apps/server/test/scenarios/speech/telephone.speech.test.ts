import type { Agent, PhoneCall, PhoneConnection } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { plainWords } from '../../support/speech/words.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { callerNumber, ownNumber } from '../../support/telephone/phone-service.js'
import {
  authToken,
  type ScriptedTwilio,
  startScriptedTwilio,
  streamIn,
} from '../../support/telephone/scripted-twilio.js'
import { TelephoneCaller } from '../../support/telephone/telephone-caller.js'

/** The models load with the first call, and the machine may run other tests. */
const timeout = 120_000

let running: RunningService
let twilio: ScriptedTwilio
let webhooks: string

beforeAll(async () => {
  twilio = await startScriptedTwilio()
  running = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  const create = async <Made>(path: string, body: object) => {
    const answer = await running.client.call<Made>('POST', `/api/v1/${path}`, { body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  const agent = await create<Agent>('Agent', {
    name: 'Desk',
    systemMessage: 'You are the front desk of a hotel. The weather in Paris is sunny and warm.',
  })
  const connection = await create<PhoneConnection>('PhoneConnection', {
    ...{ name: 'Twilio', kind: 'twilio', accountId: 'AC1', secret: authToken, baseUrl: twilio.baseUrl },
  })
  await create('PhoneNumber', {
    ...{ name: 'Desk', number: ownNumber, phoneConnectionId: connection.id, agentId: agent.id },
    ...{ greeting: 'Good day, this is the hotel.', language: 'en-US' },
  })
  webhooks = `${running.url}/phone/${connection.id}`
})

afterAll(() => running.close())

const newestCall = async () =>
  (await running.client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=1')).body.items[0]

describe('the built-in engine on the telephone', () => {
  test('hears a caller and answers, and says why a call ends [TEL-50] [TEL-59] [TEL-61]', {
    timeout,
  }, async () => {
    const callSid = uuid()
    const form = { CallSid: callSid, From: callerNumber, To: ownNumber, CallStatus: 'ringing' }
    const { text } = await twilio.send(`${webhooks}/answer`, form)
    const stream = await twilio.stream(streamIn(text), callSid)
    const caller = new TelephoneCaller(stream)
    await expect.poll(async () => (await newestCall())?.state, patiently).toBe('active')
    const { conversationId, realtimeSessionId } = (await newestCall()) as PhoneCall
    const spoken = async (role: string, count: number) => {
      const texts = async () =>
        (await messagesOf(running.client, conversationId ?? ''))
          .filter((message) => message.role === role)
          .map(({ content }) => content)
      await expect.poll(async () => (await texts()).length, patiently).toBe(count)
      return true
    }
    await caller.waitFor(() => spoken('assistant', 1))
    expect(plainWords(await caller.understand())).toContain('this is the hotel')
    await caller.say('What is the weather in Paris?')
    await caller.waitFor(() => spoken('assistant', 2))
    const [question] = (await messagesOf(running.client, conversationId ?? '')).filter(
      ({ role }) => role === 'user',
    )
    expect(plainWords(question?.content ?? '')).toBe('what is the weather in paris')
    expect(plainWords(await caller.understand())).toContain('sunny and warm')

    await running.client.call('DELETE', `/api/v1/RealtimeSession/${realtimeSessionId}`)
    await expect.poll(async () => (await newestCall())?.state, patiently).toBe('ended')
    expect(plainWords(await caller.understand())).toContain('goodbye')
  })
})
