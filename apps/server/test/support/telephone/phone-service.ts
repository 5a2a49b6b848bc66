import type { PhoneCall, PhoneConnection, PhoneNumber } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { expect, vi } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../realtime/realtime-service.js'
import type { ProviderSession } from '../realtime/scripted-provider.js'
import type { TestServiceOptions } from '../start-service.js'
import {
  authToken,
  type MediaStream,
  type ScriptedTwilio,
  startScriptedTwilio,
  streamIn,
} from './scripted-twilio.js'

export const ownNumber = '+4930123456'
export const callerNumber = '+4930765432'

export interface PhoneService extends RealtimeTestService {
  readonly twilio: ScriptedTwilio
  readonly connection: PhoneConnection
  readonly number: PhoneNumber
  /** The base of the provider's webhooks. */
  readonly webhooks: string
  /** Sends the webhook of an incoming call. */
  ring(callSid?: string, fields?: Readonly<Record<string, string>>): Promise<{ status: number; text: string }>
  /** An answered incoming call, whose three ends the test controls. */
  incoming(fields?: Readonly<Record<string, string>>): Promise<OpenCall>
  /** Waits until the newest call has these fields. */
  newest(fields: object): Promise<PhoneCall>
}

export interface OpenCall {
  readonly callSid: string
  readonly model: ProviderSession
  readonly stream: MediaStream
  /** The configuration that the model received. */
  readonly update: Record<string, unknown>
}

/** The real service with a scripted Twilio and a scripted model. */
export async function startPhoneService(
  options: TestServiceOptions = {},
  fields: object = {},
): Promise<PhoneService> {
  const twilio = await startScriptedTwilio()
  const running = await startRealtimeService(options)
  const { client, agentId, provider } = running
  const create = async <Made>(path: string, body: object) => {
    const answer = await client.call<Made>('POST', `/api/v1/${path}`, { body })
    if (answer.status !== 201) throw new Error(answer.text)
    return answer.body
  }
  const account = { kind: 'twilio', accountId: 'AC1', secret: authToken, baseUrl: twilio.baseUrl }
  const connection = await create<PhoneConnection>('PhoneConnection', {
    ...{ name: 'Twilio', ...account, allowedPrefixes: ['+49'] },
    ...fields,
  })
  const number = await create<PhoneNumber>('PhoneNumber', {
    ...{ name: 'Desk', number: ownNumber, phoneConnectionId: connection.id, agentId, greeting: 'Good day.' },
    transferTargets: [{ name: 'Porter', number: '+4930111111' }],
  })
  const webhooks = `${running.url}/phone/${connection.id}`
  const ring: PhoneService['ring'] = (callSid = uuid(), form = {}) =>
    twilio.send(`${webhooks}/answer`, {
      ...{ CallSid: callSid, From: callerNumber, To: ownNumber, CallStatus: 'ringing' },
      ...form,
    })
  const newest: PhoneService['newest'] = (wanted) =>
    vi.waitFor(
      async () => {
        const { body } = await client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=1')
        expect(body.items[0]).toMatchObject(wanted)
        return body.items[0] as PhoneCall
      },
      { timeout: 10_000, interval: 20 },
    )
  return {
    ...running,
    ...{ twilio, connection, number, webhooks, ring, newest },
    async incoming(form = {}) {
      const callSid = uuid()
      const ringing = ring(callSid, form)
      const model = await provider.accept()
      const update = await model.inbox.takeType('session.update')
      model.send({ type: 'session.updated', session: {} })
      const stream = await twilio.stream(streamIn((await ringing).text), callSid)
      // Sound of the caller has no meaning before.
      await newest({ state: 'active', providerCallId: callSid })
      return { callSid, model, update, stream }
    },
  }
}

/** A second of sound of the model, as an event of one of its items. */
export const spoken = (itemId: string, sound = Buffer.alloc(8000, 0x7f)) => ({
  ...{ type: 'response.output_audio.delta', response_id: 'r', item_id: itemId, output_index: 0 },
  ...{ content_index: 0, delta: sound.toString('base64') },
})
