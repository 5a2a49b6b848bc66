import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeLog } from '#server/adapters/system/log.js'
import {
  agents,
  connections,
  httpTool,
  keyWith,
  type Sent,
  secretPlaces,
  toolUrl,
} from '../../support/http/secret-places.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { findFreePort } from '../../support/services/free-port.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { startTcpProxy } from '../../support/services/tcp-proxy.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

const patiently = { timeout: 60_000, interval: 20 }

let postgres: PostgresDatabase
let provider: ScriptedHttpServer
let running: RunningService
let requestCount = 0

beforeAll(async () => {
  postgres = await migratedDatabase()
  provider = await startScriptedHttpServer()
  running = await startService({
    env: { DATABASE_URL: postgres.url, PARLEY_ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${provider.port}` },
  })
})

afterAll(async () => {
  await running.close()
  await provider.close()
  await postgres.drop()
})

/** Returns a secret that no other text can contain. */
const newSecret = () => `leak${randomBytes(20).toString('hex')}`

const sql = (statement: string) => withPostgresClient(postgres.url, (client) => client.query(statement))

/** Sends a request, with a valid key unless it has its own. Waits until the request has been logged. */
async function send({ path, headers = {}, body }: Sent) {
  requestCount += 1
  const requestId = `log-${requestCount}`
  const isPlain = typeof body === 'string' || body instanceof Buffer
  const response = await fetch(`${running.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': running.apiKey,
      'x-org-id': running.organizationId,
      'x-request-id': requestId,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isPlain ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body) }),
  })
  const answer = await response.text()
  const lines = () => running.log.filter((line) => line.includes(`"requestId":"${requestId}"`))
  await expect.poll(() => lines().some((line) => line.includes('"msg":"request"')), patiently).toBe(true)
  return { status: response.status, answer, requestId, lines: lines() }
}

describe('secrets in log lines and responses', () => {
  test.each(secretPlaces)(
    'no log line and no response contains a secret from %s (%i) [5-4]',
    async (_, status, sent) => {
      const secret = newSecret()
      const result = await send(sent(secret))
      expect(result.status).toBe(status)
      expect(result.answer).not.toContain(secret.slice(0, 43))
      expect(running.log.join('')).not.toContain(secret.slice(0, 43))
    },
  )

  test('no log line and no response contains a key that was sent as a request id [5-4]', async () => {
    const key = keyWith(newSecret())
    const response = await fetch(`${running.url}${agents}`, { headers: { 'x-request-id': key } })
    expect(response.headers.get('x-request-id')).not.toContain(key.slice(13))
    await expect.poll(() => running.log.join(''), patiently).toContain(response.headers.get('x-request-id'))
    expect(running.log.join('')).not.toContain(key.slice(13))
  })

  test('a key in any log line is replaced after its prefix [5-4]', () => {
    const key = keyWith(newSecret())
    const lines: string[] = []
    const log = makeLog('info', false, { destination: { write: (line) => void lines.push(line) } })
    log.info({ detail: `It was ${key}.`, err: new Error(key) }, key)
    expect(lines.join('')).toContain('prl_LeakLeak_[secret]')
    expect(lines.join('')).not.toContain(key.slice(13))
  })

  test('no log line and no later response contains a new key [5-4]', async () => {
    const made = await send({ path: '/api/v1/ApiKey', body: { name: 'Logged', scopes: ['agent:read'] } })
    const { id, key } = JSON.parse(made.answer) as { id: string; key: string }
    const use = () => send({ path: agents, headers: { 'x-api-key': key } })
    const answers = [await use(), await send({ path: connections, headers: { 'x-api-key': key } })]
    await running.client.call('DELETE', `/api/v1/ApiKey/${id}`)
    answers.push(
      await use(),
      await send({ path: `/api/v1/ApiKey/${id}` }),
      await send({ path: '/api/v1/ApiKey' }),
    )
    expect(answers.map((answer) => answer.status)).toEqual([200, 403, 401, 404, 200])
    for (const shown of [...running.log, ...answers.map(({ answer }) => answer)]) {
      expect(shown).not.toContain(key)
      expect(shown).not.toContain(key.slice(13))
      expect(shown).not.toContain(running.apiKey)
    }
  })

  test('no log line and no response contains a key that a provider echoes [5-4]', async () => {
    const apiKey = newSecret()
    const connection = { name: 'Echo', kind: 'openai-compatible', baseUrl: provider.url, apiKey }
    const { id } = JSON.parse((await send({ path: connections, body: connection })).answer) as { id: string }
    for (const status of [200, 401, 404, 500]) {
      const received = provider.expect('GET /models', { status, body: `no ${apiKey}` })
      const tried = await send({ path: `${connections}/${id}/test`, body: {} })
      expect((await received).headers.authorization).toBe(`Bearer ${apiKey}`)
      expect(tried.status).toBe(200)
      expect(tried.answer).not.toContain(apiKey)
    }
    expect(running.log.join('')).not.toContain(apiKey)
  })

  test('no log line and no response contains a secret of a request that is not valid HTTP [5-4]', async () => {
    const secret = newSecret()
    const socket = connect(Number(new URL(running.url).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `GET /api/v1/Agent?key=${secret} HTTP/1.1\r\nX-Api-Key: ${secret}\r\nno header ${secret}\r\n\r\n`,
    )
    const answer = await text(socket)
    expect(answer).toContain('400 Bad Request')
    expect(answer).not.toContain(secret)
    expect(running.log.join('')).not.toContain(secret)
  })

  const failing = [
    ['connection', { path: connections, body: { name: 'C', kind: 'openai', apiKey: 'KEY' } }],
    ['agent', { path: agents, body: httpTool({ url: toolUrl, headers: { Authorization: 'KEY' } }) }],
    ['api_key', { path: '/api/v1/ApiKey', body: { name: 'KEY', scopes: ['task:read'] } }],
    ['task', { path: '/api/v1/Task', body: { title: 'KEY' } }],
  ] as const

  test.each(failing)(
    'no log line and no response contains a secret of an unexpected error with %s [7.1-3] [5-4]',
    async (table, { path, body }) => {
      const secret = newSecret()
      await sql(`
      create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
      create trigger refuse_row before insert on "${table}" execute function refuse_row()`)
      const failed = await send({ path, body: JSON.parse(JSON.stringify(body).replaceAll('KEY', secret)) })
      await sql('drop function refuse_row cascade')

      expect(failed.status).toBe(500)
      expect(JSON.parse(failed.answer)).toEqual({
        status: 500,
        errorCode: 'Internal',
        detail: expect.stringContaining('request id'),
        requestId: failed.requestId,
      })
      const cause = failed.lines.find((line) => line.includes('request failed')) ?? ''
      expect(cause).toContain('insert into')
      expect(cause).toContain('no room')
      // The secret must not appear in plain, encrypted or hashed form.
      expect(cause).not.toContain(secret)
      expect(cause).not.toMatch(/v1\.[\w-]{40}|[0-9a-f]{64}/)
    },
  )

  test('no log line and no response contains a secret of the settings [5-4]', async () => {
    const secrets = Array.from({ length: 5 }, newSecret) as [string, string, string, string, string]
    const [databaseSecret, redisSecret, openaiSecret, serviceSecret, keySecret] = secrets
    const own = await migratedDatabase()
    const databaseUrl = new URL(own.url)
    databaseUrl.password = databaseSecret
    const proxy = await startTcpProxy(databaseUrl.hostname, Number(databaseUrl.port))
    const service = await startService({
      env: {
        DATABASE_URL: proxy.rewriteUrl(databaseUrl.href),
        REDIS_URL: `redis://:${redisSecret}@127.0.0.1:${await findFreePort()}`,
        OPENAI_API_KEY: openaiSecret,
        PARLEY_SECRET: serviceSecret,
        PARLEY_BOOTSTRAP_API_KEY: keyWith(keySecret),
      },
    })
    const answers = [await service.client.call('GET', connections)]
    await proxy.cut()
    answers.push(await service.client.call('GET', connections), await service.client.call('GET', '/readyz'))
    await proxy.restore()
    answers.push(await service.client.call('GET', '/api/v1/AuditLog'))
    await service.close()
    await proxy.close()
    await own.drop()

    expect(answers.map((answer) => answer.status)).toEqual([200, 503, 503, 200])
    const shown = [...service.log, ...answers.map((answer) => answer.text)].join('')
    expect(shown).toContain('Redis is unavailable')
    expect(shown).toMatch(/nothing answers at 127\.0\.0\.1:\d+\. The address comes from REDIS_URL/)
    for (const secret of secrets) expect(shown).not.toContain(secret.slice(0, 43))
  })
})

describe('the log', () => {
  const parse = (line: string) => JSON.parse(line) as Record<string, unknown>

  test('has one JSON object per line, with level, time and message [OPS-8]', () => {
    expect(running.log.length).toBeGreaterThan(20)
    for (const line of running.log) {
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(parse(line)).toMatchObject({
        level: expect.any(Number),
        time: expect.any(Number),
        msg: expect.any(String),
      })
    }
  })

  test('has one line per request, with id, method, path without query, status and duration [OPS-8]', async () => {
    const { lines, requestId } = await send({ path: `${agents}?Search=sought&Limit=1` })
    expect(lines.map(parse)).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        instance: expect.stringMatching(/^[0-9a-f-]{36}$/),
        version: expect.stringMatching(/^\d/),
        requestId,
        method: 'GET',
        path: agents,
        status: 200,
        milliseconds: expect.any(Number),
        ip: '127.0.0.1',
        organizationId: running.organizationId,
        callerType: 'api_key',
        callerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        msg: 'request',
      },
    ])
  })

  test('contains the agent id of a request, and the owner of a known key that was rejected [WATCH-4] [OPS-8]', async () => {
    const agent = '019a0000-0000-7000-8000-000000000000'
    const { lines } = await send({ path: `${agents}/${agent}` })
    expect(lines.map(parse)).toMatchObject([{ status: 404, agentId: agent }])
    const stranger = await send({ path: agents, headers: { 'x-api-key': 'unknown' } })
    for (const line of stranger.lines.map(parse)) expect(line).not.toHaveProperty('organizationId')
    const made = await send({ path: '/api/v1/ApiKey', body: { name: 'Old', scopes: ['agent:read'] } })
    const { id, key } = JSON.parse(made.answer) as { id: string; key: string }
    await running.client.call('DELETE', `/api/v1/ApiKey/${id}`)
    const refused = await send({ path: agents, headers: { 'x-api-key': key } })
    const { organizationId } = running
    const line = refused.lines.map(parse).find(({ msg }) => msg === 'key refused')
    expect(line).toMatchObject({ reason: 'deleted', organizationId, callerId: id, ip: '127.0.0.1' })
  })

  const levels = [
    ['debug', ['/healthz', agents, 'error']],
    ['info', [agents, 'error']],
    ['error', ['error']],
    ['silent', []],
  ] as const

  test.each(levels)('contains these entries at LOG_LEVEL=%s: %j [OPS-8]', async (level, told) => {
    const service = await startService({ env: { LOG_LEVEL: level, DATABASE_URL: postgres.url } })
    const client = service.client.as(running)
    await client.call('GET', '/healthz')
    await client.call('GET', agents)
    await sql('alter table task rename to gone')
    await client.call('GET', '/api/v1/Task')
    await sql('alter table gone rename to task')
    await service.close()
    const lines = service.log.map(parse)
    const heard = [
      ...['/healthz', agents].filter((path) => lines.some((line) => line.path === path)),
      ...(lines.some((line) => line.level === 50) ? ['error'] : []),
    ]
    expect(heard).toEqual(told)
  })

  test('reports the normal refusals of a shutdown without errors and stack traces [OPS-8]', async () => {
    const service = await startService({ env: { DATABASE_URL: postgres.url } })
    const client = service.client.as(running)
    service.service.drain()
    expect((await client.call('GET', '/readyz')).status).toBe(503)
    const { items } = (await client.call<{ items: { id: string }[] }>('GET', agents)).body
    const path = `${agents}/${items[0]?.id}/question`
    expect((await client.call('POST', path, { body: { question: 'Still there?' } })).status).toBe(503)
    await service.close()
    const lines = service.log.map(parse)
    expect(lines.filter((line) => line.path === path)).toMatchObject([{ status: 503, msg: 'request' }])
    expect(lines.filter((line) => Number(line.level) > 30 || 'err' in line)).toEqual([])
  })

  /** Returns what a separate process writes to its standard output. */
  async function written(isTerminal: boolean): Promise<string> {
    const module = new URL('../../../dist/adapters/system/log.js', import.meta.url)
    const script = `
      const { makeLog } = await import('${module}')
      makeLog('info', ${isTerminal}).info({ port: 8080, apiKey: 'leaked' }, 'listening')`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    return stdout
  }

  test('is JSON without a terminal [OPS-8]', async () => {
    const line = { level: 30, time: expect.any(Number), port: 8080, apiKey: '[secret]', msg: 'listening' }
    expect(parse(await written(false))).toEqual(line)
  })

  test('is readable in a terminal [OPS-8]', async () => {
    const shown = await written(true)
    const plain = stripVTControlCharacters(shown)
    expect(shown).not.toBe(plain)
    expect(plain).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: listening \{"port":8080[^\n]*\n$/)
    expect(plain).not.toContain('leaked')
  })

  test('masks values that look like secrets [5-4] [OPS-8]', () => {
    const lines: string[] = []
    const log = makeLog('info', false, { destination: { write: (line) => void lines.push(line) } })
    const secrets = { apiKey: 'leaked', key: 'leaked', token: 'leaked', secret: 'leaked' }
    log.info(
      { ...secrets, headers: { 'x-api-key': 'leaked' }, inner: { ...secrets, authorization: 'leaked' } },
      '',
    )
    expect(lines.join('')).toContain('[secret]')
    expect(lines.join('')).not.toContain('leaked')
  })

  test('shows failed queries without their values at any depth [5-4] [OPS-8]', () => {
    const lines: string[] = []
    const log = makeLog('info', false, { destination: { write: (line) => void lines.push(line) } })
    const query = (params: unknown[]) => {
      const error = new Error(`Failed query: select $1\nparams: ${params}`, { cause: new Error('too late') })
      return Object.assign(error, { query: 'select $1', params })
    }
    const gathered = new AggregateError([query(['leaked', 2]), new Error('another')], 'gathered')
    for (const err of [query(['leaked']), new Error('outer', { cause: query(['leaked\nleaked']) }), gathered])
      log.error({ err }, 'failed')
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      expect(line).toContain('Failed query: select $1')
      expect(line).not.toContain('leaked')
    }
    expect(lines[0]).toContain('too late')
    expect(lines[2]).toContain('another')
  })
})
