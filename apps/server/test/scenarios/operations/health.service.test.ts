import { createServer } from 'node:net'
import { promisify } from 'node:util'
import type { Agent, Page, Problem, RealtimeSessionTicket } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployedQueries, metricsIn, metricsOf } from '../../support/deploy/metric-names.js'
import { addOrganization } from '../../support/organizations.js'
import { requestHandshake } from '../../support/realtime/open-socket.js'
import { countLockWaits, withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy, type TcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

const patiently = { timeout: 60_000, interval: 50 }
/** The number of the service's database connections. */
const poolSize = 20
/** The part that organizations share. The others are reserved for keys and for the service itself. */
const sharedConnections = 16

/** The ErrorResponse of PostgreSQL to a new connection while its disk is full. */
const fullAnswer = makeErrorResponse('SFATAL', 'VFATAL', 'CXX000', 'Mcould not write init file')

function makeErrorResponse(...fields: readonly string[]): Buffer {
  const body = Buffer.from(`${fields.join('\0')}\0\0`)
  const header = Buffer.alloc(5, 'E')
  header.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([header, body])
}

let postgres: PostgresDatabase
let proxy: TcpProxy
let running: RunningService
let organizations: readonly RunningService['client'][]

beforeAll(async () => {
  postgres = await migratedDatabase()
  const { hostname, port } = new URL(postgres.url)
  proxy = await startTcpProxy(hostname, Number(port))
  running = await startService({ env: { DATABASE_URL: proxy.rewriteUrl(postgres.url) } })
  const others = await many(7, async () => running.client.as(await addOrganization(running)))
  organizations = [running.client, ...others]
})

afterAll(async () => {
  await running.close()
  await proxy.close()
  await postgres.drop()
})

/** Sends a request without a key, like a load balancer. */
async function ask(path: string) {
  const response = await fetch(`${running.url}${path}`)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const statusOf = async (path: string) => (await ask(path)).status

const createTask = (title: string, client = running.client) =>
  client.call<Problem>('POST', '/api/v1/Task', { body: { title } })

/**
 * Creates more tasks at once than there are connections. Several organizations are needed, because one may
 * use only a few.
 */
const createTasks = (titleOf: (index: number) => string) =>
  Array.from({ length: 32 }, (_, index) =>
    createTask(titleOf(index), organizations[index % organizations.length]),
  )

/** Sends a request with an unknown key. */
const guess = (index: number) =>
  fetch(`${running.url}/api/v1/Task`, { headers: { 'x-api-key': `prl_0000000${index}_${'A'.repeat(43)}` } })

/** Creates a session of the first agent. Returns the path of its socket. */
async function createTicket(): Promise<string> {
  const { body } = await running.client.call<Page<Agent>>('GET', '/api/v1/Agent')
  const path = `/api/v1/Agent/${body.items[0]?.id}/realtime-session`
  const ticket = await running.client.call<RealtimeSessionTicket>('POST', path, { body: {} })
  return ticket.body.webSocketPath
}

const many = <Result>(count: number, task: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)))

/** Runs `task` while every write of a task waits. */
function whileTasksAreLocked(task: () => Promise<void>): Promise<void> {
  return withPostgresClient(postgres.url, async (holder) => {
    await holder.query('begin')
    await holder.query('lock table task in exclusive mode')
    await task()
    await holder.query('rollback')
  })
}

function waitingConnections(): Promise<number> {
  return withPostgresClient(postgres.url, countLockWaits)
}

describe('health', () => {
  test('is reported without a key [OPS-6]', async () => {
    expect(await ask('/healthz')).toMatchObject({ status: 200, text: '{"status":"ok"}' })
    expect(await ask('/readyz')).toMatchObject({ status: 200, text: '{"status":"ready"}' })
  })

  test('is not ready while the database is unavailable and recovers without a restart [OPS-12] [OPS-6]', async () => {
    expect((await createTask('Before')).status).toBe(201)
    const socketPath = await createTicket()
    await proxy.cut()
    const away = await ask('/readyz')
    expect(away.status).toBe(503)
    expect(away.headers.get('content-type')).toContain('application/problem+json')
    expect(JSON.parse(away.text)).toEqual({
      status: 503,
      errorCode: 'Unavailable',
      detail: expect.stringContaining('database'),
      requestId: away.headers.get('x-request-id'),
    })
    expect(await statusOf('/healthz')).toBe(200)
    expect(await statusOf('/metrics')).toBe(200)
    const refused = await createTask('Meanwhile')
    expect(refused).toMatchObject({ status: 503, body: { errorCode: 'Unavailable' } })
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(away.headers.get('retry-after')).toBe('5')
    const handshake = await requestHandshake(running.url, socketPath)
    expect([handshake.status, handshake.headers.get('retry-after')]).toEqual([503, '5'])

    await proxy.restore()
    expect(await statusOf('/readyz')).toBe(200)
    expect((await createTask('After')).status).toBe(201)
  })

  test('treats a database with a full disk as unavailable and retries it [DB-7] [OPS-6]', async () => {
    await withPostgresClient(postgres.url, async (operator) => {
      await operator.query(`create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
      await operator.query('create trigger is_full before insert on task execute function refuse()')
      const refused = await createTask('Meanwhile')
      expect(refused).toMatchObject({ status: 503, body: { errorCode: 'Unavailable' } })
      expect(refused.headers.get('retry-after')).toBe('5')
      await operator.query('drop function refuse cascade')
      expect((await createTask('After')).status).toBe(201)
    })
  })

  test('treats a database that closes new connections because of a full disk as unavailable [DB-7] [OPS-6]', async () => {
    await proxy.cut()
    const full = createServer((client) => {
      client.on('error', () => {}).once('data', () => client.end(fullAnswer))
    }).listen(proxy.port, '127.0.0.1')
    const refused = await createTask('Meanwhile')
    await promisify(full.close.bind(full))()
    await proxy.restore()
    expect(refused).toMatchObject({ status: 503, body: { errorCode: 'Unavailable' } })
    expect((await createTask('After')).status).toBe(201)
  })

  test('rejects changes that run when the database fails, and no connection is lost [OPS-6]', async () => {
    for (const round of ['first', 'second']) {
      await whileTasksAreLocked(async () => {
        const dying = Promise.all(createTasks((index) => `Dying in the ${round} round, ${index}`))
        await expect.poll(waitingConnections, patiently).toBe(sharedConnections)
        await proxy.cut()
        for (const answer of await dying)
          expect(answer).toMatchObject({ status: 503, body: { errorCode: 'Unavailable' } })
        expect(await statusOf('/readyz')).toBe(503)
      })
      await proxy.restore()
      const answers = await many(poolSize * 2, (index) => createTask(`${round} ${index}`))
      expect(answers.filter((answer) => answer.status !== 201)).toEqual([])
    }
    const { body } = await running.client.call('GET', '/api/v1/Task?Search=Dying')
    expect(body.totalCount).toBe(0)
  })

  test('is not ready while every connection is in use, and reports it in time [OPS-6]', async () => {
    let waiting: ReturnType<typeof createTask>[] = []
    await whileTasksAreLocked(async () => {
      waiting = createTasks((index) => `Waiting ${index}`)
      await expect.poll(waitingConnections, patiently).toBe(sharedConnections)
      expect(await statusOf('/readyz')).toBe(200)
      await withPostgresClient(postgres.url, async (holder) => {
        await holder.query('begin')
        await holder.query('lock table api_key in access exclusive mode')
        const guesses = many(poolSize - sharedConnections, guess)
        await expect.poll(waitingConnections, patiently).toBe(poolSize)
        expect(await statusOf('/readyz')).toBe(503)
        expect(await statusOf('/healthz')).toBe(200)
        await holder.query('rollback')
        expect((await guesses).map(({ status }) => status)).toEqual([401, 401, 401, 401])
      })
    })
    expect((await Promise.all(waiting)).filter((answer) => answer.status !== 201)).toEqual([])
    expect(await statusOf('/readyz')).toBe(200)
  })

  test('shares one database query among concurrent requests [BND-15] [OPS-6]', async () => {
    const question = 'transaction_read_only'
    const held = proxy.holdAnswers()
    const first = ask('/readyz')
    await expect.poll(() => held.countAsked(question), patiently).toBe(1)
    const others = many(200, (index) => ask(index % 2 === 0 ? '/readyz' : '/'))
    // Requests start in the order they arrive. Once these are answered, nearly all of the earlier ones wait.
    for (let round = 0; round < 5; round += 1) expect(await statusOf('/healthz')).toBe(200)
    expect(held.countAsked(question)).toBe(1)
    held.release()
    expect((await Promise.all([first, others])).flat().filter(({ status }) => status !== 200)).toEqual([])
    expect(held.countAsked(question)).toBeGreaterThan(1)
    expect(held.countAsked(question)).toBeLessThan(10)
  })

  test('is not ready while the service drains, which keeps answering requests [OPS-6]', async () => {
    const draining = await startService({ env: { DATABASE_URL: postgres.url } })
    const client = draining.client.as(running)
    draining.service.drain()
    expect(await client.call('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { errorCode: 'Unavailable', detail: expect.stringContaining('shutting down') },
    })
    expect((await client.call('GET', '/healthz')).status).toBe(200)
    expect((await client.call('GET', '/api/v1/Task')).status).toBe(200)
    await draining.close()
    expect(await statusOf('/readyz')).toBe(200)
  })
})

test('the dashboard and the alerts name existing metrics [DEPLOY-2]', async () => {
  const known = metricsIn((await ask('/metrics')).text)
  const named = new Set(deployedQueries().flatMap(metricsOf))
  expect(named.size).toBeGreaterThan(15)
  // Prometheus itself provides `up`. The Redis metric exists only with REDIS_URL, as the test of RATE-4
  // shows.
  const elsewhere = new Set(['up', 'parley_redis_up'])
  expect([...named].filter((name) => !elsewhere.has(name) && !known.has(name))).toEqual([])
  expect(metricsOf('sum by (le) (rate(a_total{b="c_d"}[5m])) / e_f > 0 and on (g) h')).toEqual([
    'a_total',
    'e_f',
    'h',
  ])
})

describe('metrics', () => {
  const id = '019a0000-0000-7000-8000-000000000000'

  test('metrics have the text format of Prometheus, each with help and type [OPS-6]', async () => {
    const { headers, text } = await ask('/metrics')
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const sample =
      /^[a-z_:][a-z0-9_:]*(\{([a-z_]+="([^"\\]|\\.)*",?)*\})? [-+]?(\d[\d.e+-]*|Inf|Nan)( \d+)?$/i
    const lines = text.split('\n').filter((line) => line !== '')
    expect(lines.filter((line) => !line.startsWith('# ') && !sample.test(line))).toEqual([])
    for (const name of [
      'parley_http_request_duration_seconds',
      'parley_refused_keys_total',
      'parley_rate_limited_total',
      'parley_audit_records_sealed_total',
      'process_cpu_seconds_total',
      'nodejs_eventloop_lag_seconds',
    ]) {
      expect(text).toMatch(new RegExp(`^# HELP ${name} .`, 'm'))
      expect(text).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`, 'm'))
    }
  })

  test('metrics measure requests by the pattern of their route, never by the path [OPS-6]', async () => {
    const { client } = running
    await client.call('GET', `/api/v1/Agent/${id}`)
    await client.call('PATCH', `/api/v1/Task/${id}`, { body: {} })
    await client.call('GET', '/api/v1/Task?Search=sought')
    await client.call('PUT', '/api/v1/Task/external/customer-4711', { body: { title: 'External' } })
    await client.call('GET', '/wp-login.php')
    await client.call('GET', `/api/v1/Nothing/${id}`)
    const { text } = await ask('/metrics')
    for (const labels of [
      'method="GET",route="/api/v1/Agent/:agentId",status="404"',
      'method="PATCH",route="/api/v1/Task/:taskId",status="404"',
      'method="GET",route="/api/v1/Task",status="200"',
      'method="PUT",route="/api/v1/Task/external/:externalId",status="201"',
      'method="GET",route="unknown",status="404"',
    ])
      expect(text).toMatch(
        new RegExp(`^parley_http_request_duration_seconds_count\\{${labels}\\} [1-9]`, 'm'),
      )
    // Removes the values, because they may contain any digits.
    const names = text.replaceAll(/ \S+$/gm, '')
    expect(names).not.toMatch(/019a0000|sought|4711|wp-login|Nothing/)
  })

  test('metrics count rejected keys by reason, and sealed records [OPS-6]', async () => {
    const count = async (name: string) => {
      const line = (await ask('/metrics')).text.split('\n').find((one) => one.startsWith(`${name} `))
      return Number(line?.split(' ')[1] ?? 0)
    }
    const unknown = 'parley_refused_keys_total{reason="unknown"}'
    const missing = 'parley_refused_keys_total{reason="missing"}'
    const sealed = 'parley_audit_records_sealed_total'
    const before = [await count(unknown), await count(missing), await count(sealed)] as const
    await running.client.as({ apiKey: 'nobody' }).call('GET', '/api/v1/Task')
    await running.client.as({ apiKey: '' }).call('GET', '/api/v1/Task')
    await createTask('Sealed')
    expect([await count(unknown), await count(missing)]).toEqual([before[0] + 1, before[1] + 1])
    await expect.poll(() => count(sealed), patiently).toBeGreaterThan(before[2])
  })
})

test('readyz fails while writes fail because the disk of the database is full [OPS-6]', async () => {
  // Imitates the error of PostgreSQL in the place where it would occur.
  await withPostgresClient(postgres.url, (client) =>
    client.query(`
      create function refuse_for_want_of_room() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger no_room before insert on task execute function refuse_for_want_of_room()`),
  )
  expect(await statusOf('/readyz')).toBe(200)
  expect((await createTask('Without room')).status).toBe(503)
  const answer = await ask('/readyz')
  expect(answer.status).toBe(503)
  expect(answer.text).toContain('The disk of the database is full')
  expect(await statusOf('/healthz')).toBe(200)
  await withPostgresClient(postgres.url, (client) => client.query('drop trigger no_room on task'))
  expect((await createTask('With room')).status).toBe(201)
  expect(await statusOf('/readyz')).toBe(200)
})
