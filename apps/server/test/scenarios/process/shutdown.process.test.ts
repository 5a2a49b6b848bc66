import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Agent, Page, RealtimeSessionTicket } from '@parley/contract'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newPostgres,
  type ParleyProcess,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { beginDownload, beginRequest } from '../../support/process/pending-request.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import { startService } from '../../support/start-service.js'

afterEach(cleanUp)

const done = { code: 0, signal: null }
/** Longer than any test. A process that ends in time has not waited for the end of the drain period. */
const longDrain = { PARLEY_DRAIN_SECONDS: '3600' }

async function start(env: Readonly<Record<string, string>> = {}) {
  const postgres = await newPostgres()
  const parley = await startParley({ env: { ...postgres, ...bootstrap, ...env } })
  return { parley, url: await parley.ready(), databaseUrl: postgres.DATABASE_URL }
}

/** Sends the signal and waits until the process has noticed it. */
async function sendStopSignal(parley: ParleyProcess): Promise<void> {
  parley.signal('SIGTERM')
  await expect.poll(parley.stdout, patiently).toContain('shutting down')
}

/**
 * Inserts about 24 MB of records, more than all buffers between the service and a client that does not read.
 */
function fillAuditLog(databaseUrl: string, count: number): Promise<unknown> {
  return withPostgresClient(databaseUrl, (client) =>
    client.query(
      `insert into audit_record
         (id, organization_id, at, actor_type, action, outcome, details, canonical, sequence, hash, key_id,
          sealed_at)
       select gen_random_uuid(), $1, now(), 'system', 'test.fill', 'success',
         json_build_object('filler', repeat('x', 12000)), '', 1000000 + n, '', 'a key', now()
       from generate_series(1, $2::int) n`,
      [credentials.organizationId, count],
    ),
  )
}

/**
 * Runs the task with functions that lock a table and count the statements that wait for a lock. Releases the
 * lock afterwards.
 */
function whileLocked<T>(
  url: string,
  table: string,
  task: (lock: () => Promise<unknown>, waits: () => Promise<number>) => Promise<T>,
): Promise<T> {
  return withPostgresClient(url, async (client) => {
    await client.query('begin')
    return task(
      () => client.query(`lock table ${table}`),
      () => countLockWaits(client),
    )
  })
}

/**
 * Creates an engine connection with a chat connection, so that the service resolves its model in two steps.
 */
async function connectVoiceToChat(env: Readonly<Record<string, string>>): Promise<void> {
  const { client, close } = await startService({ env: { ...env, ...bootstrap } })
  const create = (body: object) =>
    client.call<{ readonly id: string }>('POST', '/api/v1/Connection', { body })
  const chat = await create({ name: 'Chat', kind: 'openai', apiKey: 'sk-own' })
  const voice = { name: 'Voice', kind: 'embedded', chatConnectionId: chat.body.id, isDefault: true }
  expect((await create(voice)).status).toBe(201)
  await close()
}

describe('a signal', slow, () => {
  test('ends an idle service without waiting for the drain period [OPS-7]', async () => {
    const { parley, url } = await start(longDrain)
    const { port, hostname } = new URL(url)
    // One connection is kept alive after a request, the other has not sent anything yet.
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    const silent = connect(Number(port), hostname)
    await once(silent, 'connect')
    await sendStopSignal(parley)
    expect(await parley.ended).toEqual(done)
    silent.destroy()
  })

  test('lets a running lookup of the model finish and then ends the service [OPS-7]', async () => {
    const postgres = await newPostgres()
    await connectVoiceToChat(postgres)
    const parley = await whileLocked(postgres.DATABASE_URL, 'connection', async (lock, waits) => {
      const starting = await whileLocked(postgres.DATABASE_URL, 'instance_lease', async (lockLease) => {
        await lockLease()
        const process = await startParley({ env: postgres })
        await expect.poll(waits, patiently).toBe(1)
        // The service is set up except for its lease, and will query the connections again.
        await lock()
        return process
      })
      await expect.poll(waits, patiently).toBe(1)
      await sendStopSignal(starting)
      // Gives time to everything that is closed before the database.
      await setTimeout(300)
      return starting
    })
    expect(await parley.ended).toEqual(done)
    expect(parley.stderr()).not.toContain('cannot start')
  })

  test('lets running requests and slow downloads finish, accepts nothing new, and then ends the service [OPS-7]', async () => {
    const { parley, url, databaseUrl } = await start(longDrain)
    const count = 2000
    await fillAuditLog(databaseUrl, count)
    const download = await beginDownload(url, '/api/v1/AuditLog/export?Action=test.fill', credentials)
    const request = await beginRequest(url, credentials)
    await sendStopSignal(parley)
    const isRefused = () =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      )
    await expect.poll(isRefused, patiently).toBe(true)
    expect(await request.finish()).toBe(201)
    const lines = (await text(download)).split('\n').slice(0, -1)
    expect(lines).toHaveLength(count)
    for (const line of lines) expect(line.endsWith('}')).toBe(true)
    expect(await parley.ended).toEqual(done)
  })

  test('gives sessions and requests PARLEY_DRAIN_SECONDS together and reports what it waits for [OPS-14] [OPS-7]', async () => {
    const provider = await startScriptedProvider()
    onTestFinished(() => provider.close())
    const drainSeconds = 3
    const { parley, url } = await start({
      PARLEY_DRAIN_SECONDS: String(drainSeconds),
      OPENAI_API_KEY: 'sk-of-the-test',
      OPENAI_BASE_URL: provider.baseUrl,
    })
    const client = makeApiClient(url, credentials)
    const { body: agents } = await client.call<Page<Agent>>('GET', '/api/v1/Agent')
    const path = `/api/v1/Agent/${agents.items[0]?.id}/realtime-session`
    const { body: ticket } = await client.call<RealtimeSessionTicket>('POST', path, { body: {} })
    const session = await openSocket(url, ticket.webSocketPath)
    const { send } = await provider.accept()
    send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: 'item_1' })
    await session.inbox.takeType('input_audio_buffer.speech_started')
    const request = await beginRequest(url, credentials)
    const signalledAt = performance.now()
    parley.signal('SIGINT')
    await parley.ended
    expect(parley.stdout()).toContain(
      'shutting down; waiting up to 3 s for 1 open session; press Ctrl-C again',
    )
    expect(await parley.ended).toEqual(done)
    expect(await session.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
    expect(await request.cut).toBeInstanceOf(Error)
    // The process waits for a timer, so a slow machine only makes this longer.
    expect(performance.now() - signalledAt).toBeGreaterThan(drainSeconds * 1000 - 100)
  })

  test('ends the service immediately if it is the second one [OPS-7]', async () => {
    const { parley, url } = await start(longDrain)
    const request = await beginRequest(url, credentials)
    await sendStopSignal(parley)
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual({ code: 1, signal: null })
    expect(await request.cut).toBeInstanceOf(Error)
  })
})
