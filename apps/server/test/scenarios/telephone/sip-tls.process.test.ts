import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PhoneConnection } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Baresip } from '../../../../../packages/telephone/test/support/programs/baresip.js'
import { startKamailio } from '../../../../../packages/telephone/test/support/programs/kamailio.js'
import { loopbackCertificate } from '../../../../../packages/telephone/test/support/programs/loopback-certificate.js'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import {
  type ProviderSession,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../support/realtime/scripted-provider.js'
import { hearEachOther } from '../../support/telephone/hear-each-other.js'
import { createIn } from '../../support/telephone/sip-service.js'

const [own, guest] = ['+4930123456', '+4930654321']

let client: ApiClient
let provider: ScriptedProvider
let agentId: string
let kamailio: number
let connection: PhoneConnection
let baresip: Baresip

const until = (path: string, fields: object) =>
  vi.waitFor(async () => expect((await client.call('GET', path)).body).toMatchObject(fields), patiently)

/** Starts the service, with the authorities in this file if one is given. */
async function startService(authorities?: string): Promise<ApiClient> {
  const service = await startParley({
    env: {
      ...bootstrap,
      ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }),
      PARLEY_SECRET: 'a secret for tests that is long enough',
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      LOG_LEVEL: 'warn',
    },
  })
  return makeApiClient(await service.ready(), credentials)
}

const createLine = (into: ApiClient) =>
  createIn<PhoneConnection>({ client: into }, 'PhoneConnection', {
    ...{ name: 'Kamailio', kind: 'sip', accountId: 'parley', secret: 'secret', allowedPrefixes: ['+49'] },
    sip: { host: '127.0.0.1', port: kamailio, transport: 'tls', encryption: 'required' },
  })

beforeAll(async () => {
  provider = await startScriptedProvider()
  kamailio = await startKamailio('tls')
  const authorities = join(await newDirectory(), 'authorities.pem')
  await writeFile(authorities, `${loopbackCertificate.certificate}\n`)
  client = await startService(authorities)
  const model = { name: 'Model', kind: 'openai-compatible', baseUrl: provider.baseUrl, apiKey: 'sk-scripted' }
  const { id: connectionId } = await createIn<{ id: string }>({ client }, 'Connection', model)
  agentId = (await createIn<{ id: string }>({ client }, 'Agent', { name: 'Desk', connectionId })).id
  connection = await createLine(client)
  await createIn({ client }, 'PhoneNumber', {
    ...{ name: 'Desk', number: own, phoneConnectionId: connection.id, agentId },
  })
  await until(`/api/v1/PhoneConnection/${connection.id}`, { state: 'ready', failure: null })
  const proxy = `sip:127.0.0.1:${kamailio};transport=tls`
  const account = `;auth_user=peer;auth_pass=secret;regint=60;mediaenc=srtp-mand;outbound="${proxy}"`
  const address = `sip:${guest}@127.0.0.1;transport=tls`
  baresip = await Baresip.start({ address, account, isRegistered: true })
}, slow.timeout)

afterAll(cleanUp)

async function acceptModel(): Promise<ProviderSession> {
  const model = await provider.accept()
  model.send({ type: 'session.updated', session: {} })
  return model
}

const hungUp = () => until('/api/v1/PhoneCall?Limit=1', { items: [{ state: 'ended', endReason: 'hung_up' }] })

describe('the service, registered at Kamailio over TLS', () => {
  test(
    'receives calls with encrypted audio over the connection of its registration [SIP-17]',
    slow,
    async () => {
      baresip.command('dial', `sip:parley@127.0.0.1:${kamailio};transport=tls`)
      const model = await acceptModel()
      const call = { state: 'active', direction: 'incoming', from: guest }
      await until('/api/v1/PhoneCall?Limit=1', { items: [call] })
      await hearEachOther(baresip, model, hungUp)
    },
  )

  test('makes calls with encrypted audio [SIP-17]', slow, async () => {
    const body = { to: guest, from: own }
    const { id } = await createIn<{ id: string }>({ client }, `Agent/${agentId}/call`, body)
    const model = await acceptModel()
    await until(`/api/v1/PhoneCall/${id}`, { state: 'active' })
    await hearEachOther(baresip, model, hungUp)
  })

  test('does not register if it does not trust the certificate [SIP-2]', slow, async () => {
    const untrusting = await startService()
    const { id } = await createLine(untrusting)
    const read = async () =>
      (await untrusting.call<PhoneConnection>('GET', `/api/v1/PhoneConnection/${id}`)).body
    await vi.waitFor(async () => expect((await read()).state).toBe('failed'), patiently)
    expect((await read()).failure).toContain('did not respond over TLS')
  })
})
