import type { PhoneCall } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, expect, test, vi } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newMigratedDirectory,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { startService } from '../../support/start-service.js'
import { authToken, startScriptedTwilio, streamIn } from '../../support/telephone/scripted-twilio.js'

afterAll(cleanUp)

const [own, guest] = ['+4930123456', '+4930654321']

test(
  'ends the calls of a killed service once, as failed, and dials none of them again [TEL-12]',
  slow,
  async () => {
    const [twilio, provider] = [await startScriptedTwilio(), await startScriptedProvider()]
    const directory = await newMigratedDirectory()
    const env = {
      ...bootstrap,
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'warn',
    }
    const killed = await startParley({ directory, env })
    const url = await killed.ready()
    const client = makeApiClient(url, credentials)
    const create = async (path: string, body: object) => {
      const answer = await client.call<{ id: string }>('POST', `/api/v1/${path}`, { body })
      if (answer.status !== 201) throw new Error(answer.text)
      return answer.body.id
    }
    const { baseUrl } = provider
    const models = { name: 'Model', kind: 'openai-compatible', baseUrl, apiKey: 'sk-scripted' }
    const agentId = await create('Agent', { name: 'Desk', connectionId: await create('Connection', models) })
    const phoneConnectionId = await create('PhoneConnection', {
      ...{ name: 'Twilio', kind: 'twilio', accountId: 'AC1', secret: authToken, baseUrl: twilio.baseUrl },
      allowedPrefixes: ['+49'],
    })
    await create('PhoneNumber', { name: 'Desk', number: own, phoneConnectionId, agentId })

    // One call is active, and a second one rings.
    const callSid = uuid()
    const form = { CallSid: callSid, From: guest, To: own, CallStatus: 'ringing' }
    const ringing = twilio.send(`${url}/phone/${phoneConnectionId}/answer`, form)
    const model = await provider.accept()
    model.send({ type: 'session.updated', session: {} })
    const stream = await twilio.stream(streamIn((await ringing).text), callSid)
    await create(`Agent/${agentId}/call`, { to: guest, from: own })
    await twilio.nextCall()
    const states = async (by = client) => {
      const { body } = await by.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall')
      return body.items.map(({ state, endReason, endDetail }) => [state, endReason, endDetail])
    }
    const open = [
      ['ringing', null, null],
      ['active', null, null],
    ]
    await vi.waitFor(async () => expect(await states()).toEqual(open), patiently)

    killed.signal('SIGKILL')
    await stream.inbox.closed
    await killed.ended
    const next = await startService({
      database: 'embedded',
      env: { ...env, PARLEY_DATA_DIR: `${directory}/data` },
    })
    const failed = ['ended', 'failed', 'The instance that ran the call has stopped.']
    await vi.waitFor(async () => expect(await states(next.client)).toEqual([failed, failed]), patiently)
    const audit = await next.client.call('GET', '/api/v1/AuditLog?Action=phone_call.end')
    expect(audit.body).toMatchObject({ totalCount: 2 })
    expect(twilio.calls).toHaveLength(1)
  },
)
