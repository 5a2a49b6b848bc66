import type { PhoneCall, PhoneConnection } from '@parley/contract'
import { afterAll, expect, test, vi } from 'vitest'
import { Baresip } from '../../../../../packages/telephone/test/support/programs/baresip.js'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
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
import { findFreePort } from '../../support/services/free-port.js'
import { createIn } from '../../support/telephone/sip-service.js'

afterAll(cleanUp)

const [own, guest] = ['+4930123456', '+4930654321']

test(
  'a killed service ends its SIP calls once, the other side hears the end, and the next one takes the line over [SIP-1] [TEL-12]',
  slow,
  async () => {
    const [provider, localPort, directory] = [
      await startScriptedProvider(),
      await findFreePort(),
      await newMigratedDirectory(),
    ]
    const address = `sip:${guest}@127.0.0.1:${await findFreePort()}`
    const baresip = await Baresip.start({ address, settings: ['rtp_timeout 2'] })
    const closedCalls = () => baresip.events.filter((type) => type === 'CALL_CLOSED').length
    const env = {
      ...bootstrap,
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      PARLEY_LEASE_SECONDS: '2',
      PARLEY_DRAIN_SECONDS: '1',
      LOG_LEVEL: 'warn',
    }
    const killed = await startParley({ directory, env })
    const client = makeApiClient(await killed.ready(), credentials)
    const models = {
      name: 'Model',
      kind: 'openai-compatible',
      baseUrl: provider.baseUrl,
      apiKey: 'sk-scripted',
    }
    const { id: connectionId } = await createIn<{ id: string }>({ client }, 'Connection', models)
    const agent = await createIn<{ id: string }>({ client }, 'Agent', { name: 'Desk', connectionId })
    const connection = await createIn<PhoneConnection>({ client }, 'PhoneConnection', {
      ...{ name: 'Baresip', kind: 'sip', accountId: 'parley', secret: 'secret', allowedPrefixes: ['+49'] },
      sip: { host: '127.0.0.1', port: baresip.port, registers: false, localPort },
    })
    await createIn({ client }, 'PhoneNumber', {
      ...{ name: 'Desk', number: own, phoneConnectionId: connection.id, agentId: agent.id },
    })
    const until = (by: ApiClient, path: string, fields: object) =>
      vi.waitFor(async () => expect((await by.call('GET', path)).body).toMatchObject(fields), patiently)
    const line = `/api/v1/PhoneConnection/${connection.id}`
    await until(client, line, { state: 'ready' })

    baresip.command('dial', `sip:${own}@127.0.0.1:${localPort}`)
    const model = await provider.accept()
    model.send({ type: 'session.updated', session: {} })
    await baresip.until('CALL_RTPESTAB')
    await until(client, '/api/v1/PhoneCall', { items: [{ state: 'active', from: guest }] })
    killed.signal('SIGKILL')
    await baresip.until('CALL_CLOSED')
    await killed.ended

    const next = await startParley({ directory, env })
    const after = makeApiClient(await next.ready(), credentials)
    const endDetail = 'The instance that ran the call has stopped.'
    await until(after, '/api/v1/PhoneCall', {
      ...{ totalCount: 1, items: [{ state: 'ended', endReason: 'failed', endDetail }] },
    })
    await until(after, '/api/v1/AuditLog?Action=phone_call.end', { totalCount: 1 })
    baresip.command('dial', `sip:${own}@127.0.0.1:${localPort}`)
    const again = await provider.accept()
    again.send({ type: 'session.updated', session: {} })
    await until(after, '/api/v1/PhoneCall?Limit=1', { items: [{ state: 'active' }] })
    baresip.command('hangup')
    await until(after, '/api/v1/PhoneCall?Limit=1', { items: [{ state: 'ended', endReason: 'hung_up' }] })
    const call = await createIn<PhoneCall>({ client: after }, `Agent/${agent.id}/call`, {
      to: guest,
      from: own,
    })
    const called = await provider.accept()
    called.send({ type: 'session.updated', session: {} })
    await until(after, `/api/v1/PhoneCall/${call.id}`, { state: 'active' })
    next.signal('SIGTERM')
    expect((await next.ended).code).toBe(0)
    await expect.poll(closedCalls).toBe(3)
  },
)
