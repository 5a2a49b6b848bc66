import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import type { RealtimeSessionTicket } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
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
import { beginRequest } from '../../support/process/pending-request.js'
import { childrenOf, countAlive } from '../../support/process/worker-processes.js'
import { openSocket, requestHandshake } from '../../support/realtime/open-socket.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { findFreePort } from '../../support/services/free-port.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'

afterEach(cleanUp)

const workerCount = 2
const done = { code: 0, signal: null }

const times = (text: string, part: string) => text.split(part).length - 1

async function start(env: Readonly<Record<string, string>> = {}) {
  const postgres = await newPostgres()
  const parley = await startParley({
    env: { ...postgres, ...bootstrap, PARLEY_WORKERS: String(workerCount), ...env },
  })
  const url = await parley.ready()
  await listening(parley, workerCount)
  const pids = await childrenOf(parley.child.pid)
  return { parley, url, client: makeApiClient(url, credentials), pids, databaseUrl: postgres.DATABASE_URL }
}

/**
 * Creates and opens each session over different connections, so that both workers redeem each other's
 * tickets. Returns the path that creates a session.
 */
async function openSessions(url: string, client: ApiClient, databaseUrl: string): Promise<string> {
  const provider = await startScriptedProvider()
  const agentId = await makeTextAgent({ client }, provider, { name: 'Speaker' })
  const path = `/api/v1/Agent/${agentId}/realtime-session`
  const count = 8
  for (let index = 0; index < count; index += 1) {
    const { body } = await client.call<RealtimeSessionTicket>('POST', path, {
      body: {},
      headers: { connection: 'close' },
    })
    const { inbox } = await openSocket(url, body.webSocketPath)
    const session = await provider.accept()
    session.send({ type: 'relayed' })
    await inbox.takeType('relayed')
  }
  const { rows } = await withPostgresClient(databaseUrl, (postgres) =>
    postgres.query('select count(*)::int from realtime_session where ended_at is null'),
  )
  expect(rows).toEqual([{ count }])
  return path
}

/** Waits until this many workers have started to listen in total. */
async function listening(parley: ParleyProcess, count: number): Promise<void> {
  await expect.poll(() => times(parley.stdout(), 'Server listening at'), patiently).toBe(count)
}

/** Waits until every worker has noticed the signal. */
async function stopping(parley: ParleyProcess): Promise<void> {
  await expect.poll(() => times(parley.stdout(), 'shutting down'), patiently).toBe(workerCount)
}

/** Returns the status that a new connection gets, or null if no server answers. */
function statusOf(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const asking = get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? null)
    })
    asking.on('error', () => resolve(null))
  })
}

/** Runs this many tasks at the same time, so that each has its own connection. */
const together = <Result>(count: number, task: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, task))

describe('several workers', slow, () => {
  test('workers announce the start once, share limits and metrics, and let requests finish at a signal [OPS-10]', async () => {
    const limit = 30
    const { parley, url, client, pids } = await start({ PARLEY_RATE_LIMIT_PER_MINUTE: String(limit) })
    expect(pids).toHaveLength(workerCount)
    expect(times(parley.stderr(), 'is ready.')).toBe(1)
    expect(times(parley.stderr(), 'curl -s')).toBe(1)
    // The self-check of one worker must not connect to another worker.
    expect(parley.stdout()).not.toContain('the relay uses plain ws')

    const stranger = client.as({ apiKey: 'unknown' })
    const answers = await together(limit + 20, () => stranger.call('GET', '/api/v1/Agent'))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(limit)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)

    const counted = async () => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const pattern = /^parley_http_request_duration_seconds_count\{.*route="\/api\/v1\/Agent".*\} (\d+)$/gm
      return [...text.matchAll(pattern)].map(([, count]) => Number(count)).sort()
    }
    await expect.poll(counted, patiently).toEqual([20, limit])
    expect(await together(6, counted)).toEqual(Array(6).fill([20, limit]))
    expect((await fetch(`${url}/metrics`)).headers.get('content-type')).toContain('version=0.0.4')

    const requests = await together(4, () => beginRequest(url, credentials))
    // Terminals and service managers signal every process, and the primary process signals its workers as
    // well.
    for (const pid of [parley.child.pid ?? 0, ...pids]) process.kill(pid, 'SIGTERM')
    await stopping(parley)
    expect(await Promise.all(requests.map((request) => request.finish()))).toEqual([201, 201, 201, 201])
    expect(await parley.ended).toEqual(done)
    expect(await countAlive(pids)).toBe(0)
  })

  test('workers end immediately at a second signal [OPS-10]', async () => {
    // A process that waited for the request would outlast the test.
    const { parley, url, pids } = await start({ PARLEY_DRAIN_SECONDS: '3600' })
    const request = await beginRequest(url, credentials)
    parley.signal('SIGTERM')
    await stopping(parley)
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual({ code: 1, signal: null })
    expect(await request.cut).toBeInstanceOf(Error)
    expect(await countAlive(pids)).toBe(0)
  })

  test('workers end when the drain time is over [OPS-7] [OPS-10]', async () => {
    const { parley, url, client, pids, databaseUrl } = await start({
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      PARLEY_DRAIN_SECONDS: '1',
    })
    await openSessions(url, client, databaseUrl)
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual(done)
    expect(parley.stdout()).not.toContain('some connections did not close')
    expect(await countAlive(pids)).toBe(0)
  })

  test('workers open sessions on any worker, replace a killed worker, and do not outlive the primary process [OPS-10]', async () => {
    const { parley, url, client, pids, databaseUrl } = await start({
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
    })
    await openSessions(url, client, databaseUrl)
    const [first = 0, second = 0] = pids
    process.kill(first, 'SIGKILL')
    await expect
      .poll(parley.stderr, patiently)
      .toContain(`Worker ${first} ended (SIGKILL). Starting another one.`)
    expect(await together(6, () => statusOf(`${url}/readyz`))).toEqual(Array(6).fill(200))
    await expect.poll(() => childrenOf(parley.child.pid), patiently).toHaveLength(workerCount)
    const missing = `/api/v1/Agent/${randomUUID()}/realtime?conversationId=${randomUUID()}&sessionId=none`
    const refused = (await together(4, () => requestHandshake(url, missing))).map(({ status }) => status)
    expect(refused).toEqual(Array(4).fill(400))
    await listening(parley, 3)
    process.kill(second, 'SIGKILL')
    await expect.poll(parley.stderr, patiently).toContain(`Worker ${second} ended (SIGKILL)`)
    expect(await together(6, () => statusOf(`${url}/readyz`))).toEqual(Array(6).fill(200))
    expect(times(parley.stderr(), 'is ready.')).toBe(1)

    const replacements = await childrenOf(parley.child.pid)
    expect(replacements.length).toBeGreaterThan(0)
    for (const pid of pids) expect(replacements).not.toContain(pid)
    parley.signal('SIGKILL')
    await expect.poll(() => countAlive(replacements), patiently).toBe(0)
    expect(await statusOf(`${url}/healthz`)).toBeNull()
  })

  test('workers are replaced one after another at SIGUSR2, and the port keeps answering [OPS-31]', async () => {
    const { parley, url, client, pids, databaseUrl } = await start({
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      PARLEY_DRAIN_SECONDS: '4',
    })
    const path = await openSessions(url, client, databaseUrl)
    parley.signal('SIGUSR2')
    const statuses = new Set<number | null>()
    const options = { body: {}, headers: { connection: 'close' } }
    await vi.waitFor(async () => {
      statuses.add(await statusOf(`${url}/readyz`))
      statuses.add((await client.call('POST', path, options)).status)
      expect(parley.stderr()).toContain('All workers were replaced.')
    }, patiently)
    expect([...statuses].sort()).toEqual([200, 201])
    const replacements = await childrenOf(parley.child.pid)
    expect(replacements).toHaveLength(workerCount)
    for (const pid of pids) expect(replacements).not.toContain(pid)
    expect(parley.stderr()).not.toContain('Starting another one')
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual(done)
    expect(await countAlive(replacements)).toBe(0)
  })

  test('workers do not start if the first one cannot, and its error is shown [OPS-10]', async () => {
    const { DATABASE_URL: url, ...postgres } = await newPostgres()
    const DATABASE_URL = url.replace(/\/[^/]+$/, '/there_is_no_such_database')
    const parley = await startParley({ env: { ...postgres, DATABASE_URL, PARLEY_WORKERS: '2' } })
    expect(await parley.ended).toEqual({ code: 1, signal: null })
    expect(parley.stderr()).toMatch(
      /^Parley cannot start: PostgreSQL at \S+ does not have the database of DATABASE_URL/,
    )
  })

  test('workers wait for the database together and end at one signal [OPS-13] [OPS-10]', async () => {
    const DATABASE_URL = `postgres://postgres@127.0.0.1:${await findFreePort()}/parley`
    const parley = await startParley({ env: { ...(await newPostgres()), DATABASE_URL, PARLEY_WORKERS: '2' } })
    await expect.poll(parley.stdout, patiently).toContain('waiting for the database')
    parley.signal('SIGTERM')
    expect(await parley.ended).toEqual({ code: 0, signal: null })
  })
})
