import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AuditLogRecord, Connection, ConnectionTest, Page } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import { runCommand, runJson } from '../../support/cli/run-command.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

const program = fileURLToPath(new URL('../../../bin/parley.mjs', import.meta.url))
const newSecret = 'the next secret, which is long enough too'

let provider: ScriptedHttpServer

beforeAll(async () => {
  provider = await startScriptedHttpServer()
})
afterEach(cleanUp)
afterAll(() => provider.close())

async function start(directory: string, env: Readonly<Record<string, string>>) {
  const hosts = { PARLEY_ALLOWED_PRIVATE_HOSTS: new URL(provider.url).host }
  const parley = await startParley({ directory, env: { ...bootstrap, ...hosts, ...env } })
  return { parley, client: makeApiClient(await parley.ready(), credentials) }
}

async function addConnection(client: ApiClient, name: string): Promise<string> {
  const body = { name, kind: 'openai-compatible', baseUrl: `${provider.url}/v1`, apiKey: `sk-${name}` }
  return (await client.call<Connection>('POST', '/api/v1/Connection', { body })).body.id
}

/** The key that the provider gets to see: it was opened. */
async function keyOf(client: ApiClient, id: string): Promise<string | undefined> {
  const asked = provider.expect('GET /v1/models', { body: { data: [] } })
  const { body } = await client.call<ConnectionTest>('POST', `/api/v1/Connection/${id}/test`)
  expect(body).toMatchObject({ ok: true })
  return (await asked).headers.authorization
}

describe('parley secret rotate', slow, () => {
  test('[CLI-9] replaces the secret of the data directory while the service runs', async () => {
    const cwd = await newDirectory()
    const first = await start(cwd, {})
    const id = await addConnection(first.client, 'one')
    const before = await readFile(join(cwd, 'data', 'secret'), 'utf8')
    expect(await runJson(['secret', 'rotate'], { env: {}, cwd })).toEqual({
      connections: 1,
      agents: 0,
      people: 0,
    })
    expect(await readFile(join(cwd, 'data', 'secret'), 'utf8')).not.toBe(before)
    expect(await readdir(join(cwd, 'data'))).not.toContain('secret.next')
    expect(await keyOf(first.client, id)).toBe('Bearer sk-one')
    const { headers } = await first.client.call('GET', `/api/v1/Connection/${id}`)
    expect(headers.get('etag')).toBe('"1"')
    const log = await first.client.call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Action=secret.rotate')
    expect(log.body.items).toMatchObject([{ actor: { type: 'operator' }, details: { connections: 1 } }])
    first.parley.signal('SIGTERM')
    await first.parley.ended
    const second = await start(cwd, {})
    expect(await keyOf(second.client, id)).toBe('Bearer sk-one')
  })

  test('[CLI-9] goes on where it was killed, on PostgreSQL, while instances that know both secrets serve', async () => {
    const cwd = await newDirectory()
    const postgres = await newPostgres()
    const old = await start(cwd, postgres)
    const ids: string[] = []
    for (let index = 0; index < 40; index += 1) ids.push(await addConnection(old.client, `n${index}`))
    const unable = await runCommand(['secret', 'rotate'], { env: postgres, cwd })
    expect(unable).toMatchObject({ code: 1, stderr: expect.stringContaining('PARLEY_SECRET_PREVIOUS') })
    old.parley.signal('SIGTERM')
    await old.parley.ended

    const env = { ...postgres, PARLEY_SECRET: newSecret, PARLEY_SECRET_PREVIOUS: postgres.PARLEY_SECRET }
    const { parley, client } = await start(cwd, env)
    const pool = openPostgres(postgres.DATABASE_URL, () => undefined)
    const sealed = async () =>
      (
        await pool.query<{ text: string }>(
          'select sealed_api_key as text from connection where sealed_api_key is not null',
        )
      ).rows.map(({ text }) => text)
    const original = new Set(await sealed())
    const countLeft = async () => (await sealed()).filter((text) => original.has(text)).length
    const child = spawn(process.execPath, [program, 'secret', 'rotate'], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, ...env },
    })
    const ended = once(child, 'exit')
    while ((await countLeft()) > 30 && child.exitCode === null);
    child.kill('SIGKILL')
    await ended
    const left = await countLeft()
    for (const [index, id] of ids.entries())
      if (index % 13 === 0) expect(await keyOf(client, id)).toBe(`Bearer sk-n${index}`)

    expect(await runJson(['secret', 'rotate'], { env, cwd })).toEqual({
      connections: left,
      agents: 0,
      people: 0,
    })
    expect(await countLeft()).toBe(0)
    await pool.end()
    expect(await keyOf(client, ids[0] ?? '')).toBe('Bearer sk-n0')
    parley.signal('SIGTERM')
    await parley.ended

    const outdated = await startParley({ env: postgres })
    expect(await outdated.ended).toMatchObject({ code: 1 })
    const renewed = await start(cwd, { ...postgres, PARLEY_SECRET: newSecret })
    expect(await keyOf(renewed.client, ids.at(-1) ?? '')).toBe('Bearer sk-n39')
  })
})
