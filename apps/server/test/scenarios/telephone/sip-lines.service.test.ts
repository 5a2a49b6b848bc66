import type { PhoneCall, PhoneConnection, PhoneConnectionTest, PhoneNumber, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestLine } from '../../../../../packages/telephone/test/support/programs/test-line.js'
import { joinInstance } from '../../support/questions/instances.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { findFreePort } from '../../support/services/free-port.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService } from '../../support/start-service.js'
import { type ScriptedRegistrar, startScriptedRegistrar } from '../../support/telephone/scripted-registrar.js'
import { createIn } from '../../support/telephone/sip-service.js'

const twoMinutes = 2 * 60 * 1000

let postgres: PostgresDatabase
let one: RealtimeTestService
let other: RunningService
let registrar: ScriptedRegistrar
let late = 0

const options = () => ({
  clock: { now: () => new Date(Date.now() + late) },
  pollMilliseconds: 100,
  env: { PARLEY_DRAIN_SECONDS: '1', PARLEY_LEASE_SECONDS: '3', DATABASE_URL: postgres.url },
})

beforeAll(async () => {
  postgres = await migratedDatabase()
  one = await startRealtimeService(options())
  other = await joinInstance(one, postgres.url, options())
})

afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await postgres.drop()
})

type Identified = Pick<PhoneConnection, 'id'>

const pathOf = ({ id }: Identified) => `/api/v1/PhoneConnection/${id}`

const patch = async (connection: Identified, body: object) => {
  const answer = await one.client.call('PATCH', pathOf(connection), { body })
  expect(answer.status).toBe(200)
}

const testAccount = async (connection: Identified) =>
  (await other.client.call<PhoneConnectionTest>('POST', `${pathOf(connection)}/test`)).body

const until = (connection: Identified, fields: object) =>
  expect
    .poll(async () => (await one.client.call('GET', pathOf(connection))).body, { interval: 50 })
    .toMatchObject(fields)

async function create(sip: object = {}, fields: object = {}): Promise<PhoneConnection> {
  registrar = await startScriptedRegistrar()
  return createIn(one, 'PhoneConnection', {
    ...{ name: 'Provider', kind: 'sip', accountId: 'parley', secret: 'secret', allowedPrefixes: ['+49'] },
    sip: { host: '127.0.0.1', port: registrar.port, ...sip },
    ...fields,
  })
}

const newestCall = async () => {
  const { body } = await one.client.call<{ items: PhoneCall[] }>('GET', '/api/v1/PhoneCall?Limit=1')
  return body.items[0]
}

describe('a SIP account', () => {
  test('is unregistered when it is disabled, deleted or loses its secret [SIP-3]', async () => {
    const connection = await create()
    await registrar.untilContacts(1)
    await patch(connection, { isEnabled: false })
    await registrar.untilContacts(0)
    await patch(connection, { isEnabled: true })
    await registrar.untilContacts(1)
    await patch(connection, { secret: null })
    await registrar.untilContacts(0)
    await patch(connection, { secret: 'new' })
    await registrar.untilContacts(1)
    await one.client.call('DELETE', pathOf(connection))
    await registrar.untilContacts(0)
    expect(registrar.mostContacts).toBe(1)
  })

  test('is registered again with changed settings, and its calls continue [SIP-3] [SIP-11]', async () => {
    const [port, next] = [await findFreePort(), await findFreePort()]
    const connection = await create({ localPort: port })
    await createIn<PhoneNumber>(one, 'PhoneNumber', {
      ...{ name: 'Desk', number: '+4930123456', agentId: one.agentId, phoneConnectionId: connection.id },
    })
    await registrar.untilContacts(1)
    const peer = await openTestLine({ server: { host: '127.0.0.1', port, transport: 'udp' } })
    const call = peer.dial(`sip:parley@127.0.0.1:${port}`)
    const model = await one.provider.accept()
    model.send({ type: 'session.updated', session: {} })
    await call.until('answered')

    await patch(connection, { sip: { ...connection.sip, localPort: next }, name: 'Renamed' })
    await expect.poll(() => registrar.contacts).toEqual([`sip:parley@127.0.0.1:${next}`])
    const second = peer.dial(`sip:parley@127.0.0.1:${port}`)
    expect(await second.untilEnded()).toEqual({ kind: 'no_answer' })
    // Only the instance of the call can transfer it. The other side refuses that.
    const active = await newestCall()
    const transferred = await Promise.all(
      [one, other].map(({ client }) =>
        client.call<Problem>('POST', `/api/v1/PhoneCall/${active?.id}/transfer`, {
          body: { to: '+4930654321' },
        }),
      ),
    )
    expect(transferred.map(({ status }) => status)).toEqual([409, 409])
    expect(transferred.map(({ body }) => body.detail).sort()).toEqual([
      'SIP calls can only be transferred on the instance that runs them.',
      'The provider refused the transfer (603).',
    ])
    call.leg?.digits('5')
    expect(JSON.stringify(await model.inbox.takeType('conversation.item.create'))).toContain('keys 5')
    call.leg?.hangUp()
    await expect.poll(newestCall).toMatchObject({ state: 'ended', endReason: 'hung_up' })
    // The old line has closed, so its port is free.
    await patch(connection, { sip: { ...connection.sip, localPort: port } })
    await expect.poll(() => registrar.contacts).toEqual([`sip:parley@127.0.0.1:${port}`])
  })

  test('shows why it is not registered, and registers after a successful test [SIP-2]', async () => {
    const connection = await create({}, { isEnabled: false })
    registrar.answerWith(403)
    await patch(connection, { isEnabled: true })
    const failure = expect.stringContaining('rejected the user name or the password (403)')
    await until(connection, { state: 'failed', failure })
    expect(await testAccount(connection)).toMatchObject({ ok: false, providerStatus: 403, detail: failure })
    registrar.answerWith(200)
    expect(await testAccount(connection)).toMatchObject({ ok: true, providerStatus: 200 })
    await registrar.untilContacts(1)
    await until(connection, { state: 'ready', failure: null })
    // The state of the line answers, so the registrar is not asked.
    const { requests } = registrar
    const held = await testAccount(connection)
    expect(held).toMatchObject({ ok: true, detail: 'The account is registered with 127.0.0.1.' })
    expect(registrar.requests).toBe(requests)
  })

  test('is tested without its line while it is not enabled [SIP-2]', async () => {
    const connection = await create({}, { isEnabled: false })
    expect(await testAccount(connection)).toMatchObject({ ok: true, providerStatus: 200 })
    expect(registrar.contacts).toEqual([])
    await patch(connection, { secret: null })
    expect(await testAccount(connection)).toMatchObject({ ok: false, providerStatus: null })
    await patch(connection, { secret: 's', sip: { host: 'no-such-host.invalid' } })
    await patch(connection, { secret: 's' })
    const unknown = await testAccount(connection)
    expect(unknown).toMatchObject({ ok: false, detail: expect.stringContaining('was not found') })
  })

  test('cannot share its local port [SIP-3]', async () => {
    const localPort = await findFreePort()
    const holder = await create({ localPort, registers: false })
    await until(holder, { state: 'ready' })
    const second = await create({ localPort })
    await until(second, { state: 'failed', failure: expect.stringContaining(`the port ${localPort}`) })
  })

  test('cannot be in a private network that is not allowed [SIP-4]', async () => {
    const body = {
      ...{ name: 'Inside', kind: 'sip', accountId: 'parley', secret: 'secret' },
      sip: { host: '10.0.0.7' },
    }
    const refused = await one.client.call<{ errors: object[] }>('POST', '/api/v1/PhoneConnection', { body })
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toMatchObject([{ path: 'sip.host' }])
  })

  test('that is not registered lets its queued calls fail after two minutes [SIP-9]', async () => {
    const connection = await create({}, { isEnabled: false })
    registrar.answerWith(503)
    await patch(connection, { isEnabled: true })
    const from = '+4930123499'
    await createIn(one, 'PhoneNumber', {
      ...{ name: 'Bar', number: from, agentId: one.agentId, phoneConnectionId: connection.id },
    })
    await until(connection, { state: 'failed' })
    const body = { to: '+4930654321', from }
    const call = await createIn<PhoneCall>(one, `Agent/${one.agentId}/call`, body)
    expect(await newestCall()).toMatchObject({ id: call.id, state: 'queued' })
    late = twoMinutes + 1000
    await expect.poll(newestCall).toMatchObject({
      id: call.id,
      endReason: 'failed',
      endDetail: expect.stringContaining('not registered'),
    })
  })
})

// Last, because it drains the instances of this file.
test('a SIP account is registered by one instance, and by another one when that drains [SIP-1]', async () => {
  const registered = await create()
  const [before] = await registrar.untilContacts(1)
  await until(registered, { state: 'ready', failure: null, updatedAt: registered.updatedAt })
  const third = await joinInstance(one, postgres.url, options())
  // No instance but the third one is left to hold the line.
  for (const { service } of [one, other]) service.drain()
  await expect.poll(() => registrar.contacts.filter((contact) => contact !== before)).toHaveLength(1)
  expect(registrar.mostContacts).toBe(1)
  await until(registered, { state: 'ready', failure: null, updatedAt: registered.updatedAt })
  await third.service.close()
  expect(registrar.contacts).toEqual([])
})
