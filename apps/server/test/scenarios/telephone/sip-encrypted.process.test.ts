import type { PhoneConnection, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Baresip } from '../../../../../packages/telephone/test/support/programs/baresip.js'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import {
  type ProviderSession,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../support/realtime/scripted-provider.js'
import { findFreePort } from '../../support/services/free-port.js'
import { hearEachOther } from '../../support/telephone/hear-each-other.js'
import { createIn } from '../../support/telephone/sip-service.js'

const guest = '+4930654321'

let client: ApiClient
let provider: ScriptedProvider
let agentId: string
let lines = 0

beforeAll(async () => {
  provider = await startScriptedProvider()
  const service = await startParley({
    env: {
      ...bootstrap,
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
  })
  client = makeApiClient(await service.ready(), credentials)
  const model = { name: 'Model', kind: 'openai-compatible', baseUrl: provider.baseUrl, apiKey: 'sk-scripted' }
  const { id: connectionId } = await createIn<{ id: string }>({ client }, 'Connection', model)
  agentId = (await createIn<{ id: string }>({ client }, 'Agent', { name: 'Desk', connectionId })).id
}, slow.timeout)

afterAll(cleanUp)

const until = (path: string, fields: object) =>
  vi.waitFor(async () => expect((await client.call('GET', path)).body).toMatchObject(fields), patiently)

/** Connects the service with a baresip, without a registration. */
async function connect(fields: { readonly encryption?: 'required' }, account = '') {
  const address = `sip:${guest}@127.0.0.1:${await findFreePort()}`
  const baresip = await Baresip.start({ address, account })
  const localPort = await findFreePort()
  lines += 1
  const own = `+493012345${lines}`
  const line = await createIn<PhoneConnection>({ client }, 'PhoneConnection', {
    ...{ name: 'Baresip', kind: 'sip', accountId: 'parley', secret: 'secret', allowedPrefixes: ['+49'] },
    sip: {
      ...{ host: '127.0.0.1', port: baresip.port, transport: 'tcp', registers: false, localPort },
      ...fields,
    },
  })
  await createIn({ client }, 'PhoneNumber', {
    ...{ name: 'Desk', number: own, phoneConnectionId: line.id, agentId },
  })
  await until(`/api/v1/PhoneConnection/${line.id}`, { state: 'ready' })
  const dial = () => baresip.command('dial', `sip:${own}@127.0.0.1:${localPort};transport=tcp`)
  return { own, baresip, dial }
}

const callOut = (from: string) =>
  createIn<{ id: string }>({ client }, `Agent/${agentId}/call`, { to: guest, from })

async function acceptModel(): Promise<ProviderSession> {
  const model = await provider.accept()
  model.send({ type: 'session.updated', session: {} })
  return model
}

const hungUp = () => until('/api/v1/PhoneCall?Limit=1', { items: [{ state: 'ended', endReason: 'hung_up' }] })

describe('a SIP account over TCP', () => {
  test('receives calls', slow, async () => {
    const { baresip, dial } = await connect({})
    dial()
    const model = await acceptModel()
    const call = { state: 'active', direction: 'incoming', from: guest }
    await until('/api/v1/PhoneCall?Limit=1', { items: [call] })
    await hearEachOther(baresip, model, hungUp)
  })

  test('makes calls with encrypted audio [SIP-17]', slow, async () => {
    const { baresip, own } = await connect({ encryption: 'required' }, ';mediaenc=srtp-mand')
    const { id } = await callOut(own)
    const model = await acceptModel()
    await until(`/api/v1/PhoneCall/${id}`, { state: 'active' })
    await hearEachOther(baresip, model, hungUp)
  })

  test('refuses calls without encryption if it requires that [SIP-17]', slow, async () => {
    const { dial, own, baresip } = await connect({ encryption: 'required' })
    const before = (await client.call<{ totalCount: number }>('GET', '/api/v1/PhoneCall')).body.totalCount
    dial()
    await baresip.until('CALL_CLOSED')
    const { id } = await callOut(own)
    await until(`/api/v1/PhoneCall/${id}`, {
      ...{ state: 'ended', endReason: 'failed', endDetail: 'The provider rejected the call (488).' },
    })
    await until('/api/v1/PhoneCall', { totalCount: before + 1 })
  })
})

test('a SIP account over TLS must register [SIP-17]', async () => {
  const sip = { host: '127.0.0.1', transport: 'tls', registers: false, localPort: 5080 }
  const body = { name: 'Exchange', kind: 'sip', accountId: 'parley', secret: 'secret', sip }
  const answer = await client.call<Problem>('POST', '/api/v1/PhoneConnection', { body })
  expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'sip.registers' }] })
})
