import type { Agent, Connection } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import type { PostgresDatabase } from '../../support/services/postgres-database.js'
import { migratedDatabase, type RunningService, startService } from '../../support/start-service.js'

let database: PostgresDatabase
let running: RunningService

beforeAll(async () => {
  database = await migratedDatabase()
  running = await startService({ env: { DATABASE_URL: database.url } })
})

afterAll(async () => {
  await running.close()
  await database.drop()
})

/** Returns every row of every table as text. */
function everyRow(): Promise<string> {
  return withPostgresClient(database.url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(
        `select row_to_json(t)::text as row from "${name}" t`,
      )
      texts.push(...rows.map(({ row }) => `${name} ${row}`))
    }
    return texts.join('\n')
  })
}

test('no row, log line or response contains a secret, whatever operation handles it [5-4] [ACC-1] [ACC-5]', async () => {
  const { client } = running
  const texts: string[] = []
  const call = async <Body>(method: string, path: string, body: object, headers = {}) => {
    const answer = await client.call<Body>(method, path, { body, headers })
    texts.push(answer.text)
    return answer
  }
  const tools = (value: string) => [
    {
      kind: 'http',
      name: 'find',
      description: 'Finds.',
      request: { method: 'GET', url: 'https://example.com/', headers: { 'x-secret': value } },
    },
  ]
  const once = { 'idempotency-key': 'once' }

  const connection = await call<Connection>(
    'POST',
    '/api/v1/Connection',
    { name: 'A', kind: 'openai', apiKey: 'secret-1' },
    once,
  )
  await call('PATCH', `/api/v1/Connection/${connection.body.id}`, { apiKey: 'secret-2' })
  await call('PUT', `/api/v1/Connection/${connection.body.id}`, {
    name: 'A',
    kind: 'openai',
    apiKey: 'secret 3',
  })
  await call('POST', '/api/v1/Connection', { name: 'A', kind: 'embedded', apiKey: 'secret-4' })
  await call(
    'POST',
    '/api/v1/Connection',
    { name: 'A', kind: 'none', apiKey: 'secret-5' },
    { 'if-match': '"1"' },
  )
  const agent = await call<Agent>(
    'POST',
    '/api/v1/Agent',
    { name: 'A', tools: tools('secret-6') },
    { 'idempotency-key': 'again' },
  )
  await call('PATCH', `/api/v1/Agent/${agent.body.id}`, { tools: tools('secret-7') })
  await call('PATCH', `/api/v1/Agent/${agent.body.id}`, { tools: tools('secret-8\n') })
  await call('POST', '/api/v1/Agent', { name: '', tools: tools('secret-9') })
  const made = await client.call<{ key: string }>('POST', '/api/v1/ApiKey', {
    body: { name: 'A', scopes: ['agent:read'] },
  })
  const { key } = made.body
  await client.as({ apiKey: key }).call('GET', '/api/v1/Connection')
  await client.as({ apiKey: `${key}x` }).call('GET', '/api/v1/Agent')
  await client.call('GET', `/api/v1/Agent?Key=${key}`)
  texts.push((await client.call('GET', '/api/v1/AuditLog?Limit=200')).text)
  texts.push((await client.call('GET', '/metrics')).text)

  const seen = { rows: await everyRow(), log: running.log.join(''), answers: texts.join('\n') }
  for (const text of Object.values(seen)) expect(text).toContain(connection.body.id)
  for (const [place, text] of Object.entries(seen))
    for (const secret of [/secret[- ]\d/, new RegExp(key.slice(13)), new RegExp(running.apiKey.slice(13))])
      expect(text.match(secret), place).toBeNull()
})

test('a deleted agent leaves no header value behind [AGT-6] [ACC-5]', async () => {
  const headers = { Authorization: 'Bearer x' }
  const tools = [
    {
      kind: 'http',
      name: 'find',
      description: 'Finds.',
      request: { method: 'GET', url: 'https://example.com/', headers },
    },
  ]
  const { body } = await running.client.call<Agent>('POST', '/api/v1/Agent', {
    body: { name: 'Gone', tools },
  })
  const sealed = () =>
    withPostgresClient(database.url, async (client) => {
      const { rows } = await client.query('select tool_secrets from agent where id = $1', [body.id])
      return rows
    })
  expect(await sealed()).toEqual([{ tool_secrets: { find: { Authorization: expect.any(String) } } }])
  await running.client.call('DELETE', `/api/v1/Agent/${body.id}`)
  expect(await sealed()).toEqual([{ tool_secrets: {} }])
})
