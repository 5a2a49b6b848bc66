import { cp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditLogRecord, ConnectionTest, Page, Task } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import { runCommand, runJson } from '../../support/cli/run-command.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newPostgres,
  type ParleyProcess,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

let provider: ScriptedHttpServer

beforeAll(async () => {
  provider = await startScriptedHttpServer()
})
afterEach(cleanUp)
afterAll(() => provider.close())

const hosts = () => ({ PARLEY_ALLOWED_PRIVATE_HOSTS: new URL(provider.url).host })

async function start(directory: string, env: Readonly<Record<string, string>> = {}) {
  const parley = await startParley({ directory, env: { ...bootstrap, ...hosts(), ...env } })
  return { parley, client: makeApiClient(await parley.ready(), credentials) }
}

async function stop(parley: ParleyProcess): Promise<void> {
  parley.signal('SIGTERM')
  expect(await parley.ended).toEqual({ code: 0, signal: null })
}

describe('parley backup and restore', slow, () => {
  test('[CLI-8] a backup taken under load is whole, and is restored elsewhere, secrets and all', async () => {
    const [cwd, elsewhere] = [await newDirectory(), await newDirectory()]
    const { parley, client } = await start(cwd)
    const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
      body: { name: 'Kept', kind: 'openai-compatible', baseUrl: `${provider.url}/v1`, apiKey: 'sk-kept' },
    })
    expect(connection.status).toBe(201)
    let isWriting = true
    const written: string[] = []
    const writing = (async () => {
      for (let index = 0; isWriting; index += 1) {
        const { body } = await client.call<Task>('POST', '/api/v1/Task', { body: { title: `Task ${index}` } })
        written.push(body.id)
      }
    })()
    await expect.poll(() => written.length).toBeGreaterThan(3)
    const before = [...written]
    const file = join(cwd, 'parley.backup')
    const taken = await runJson(['backup', 'parley.backup'], { env: {}, cwd })
    isWriting = false
    await writing
    expect(taken).toMatchObject({ file, secret: 'included', bytes: (await stat(file)).size })
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const again = await runCommand(['backup', 'parley.backup'], { env: {}, cwd })
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('overwrites nothing') })
    const running = await runCommand(['restore', 'parley.backup'], { env: {}, cwd })
    expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by process') })
    await stop(parley)
    const full = await runCommand(['restore', 'parley.backup'], { env: {}, cwd })
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('has a database already') })

    await cp(file, join(elsewhere, 'copy'))
    await writeFile(join(elsewhere, 'cut'), (await readFile(file)).subarray(0, 200_000))
    const cut = await runCommand(['restore', 'cut'], { env: {}, cwd: elsewhere })
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged or was cut off') })
    const restored = await runJson(['restore', 'copy'], { env: {}, cwd: elsewhere })
    expect(restored).toMatchObject({ dataDir: join(elsewhere, 'data'), opensSecrets: true })

    const second = await start(elsewhere)
    for (const id of before) expect((await second.client.call('GET', `/api/v1/Task/${id}`)).status).toBe(200)
    const asked = provider.expect('GET /v1/models', { body: { data: [] } })
    const path = `/api/v1/Connection/${connection.body.id}/test`
    expect((await second.client.call<ConnectionTest>('POST', path)).body).toMatchObject({ ok: true })
    expect((await asked).headers.authorization).toBe('Bearer sk-kept')
    const log = await second.client.call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Limit=200')
    const acts = log.body.items.filter(({ actor }) => actor.type === 'operator').map(({ action }) => action)
    expect(acts).toEqual(['installation.restore', 'installation.backup'])
    expect((await second.client.call('GET', '/api/v1/AuditLog/verify')).body).toMatchObject({ valid: true })
  })

  test('[CLI-8] PARLEY_SECRET is not in a backup, which says so; with PostgreSQL it names pg_dump', async () => {
    const [cwd, elsewhere] = [await newDirectory(), await newDirectory()]
    const env = { PARLEY_SECRET: 'a secret for tests that is long enough' }
    const { parley } = await start(cwd, env)
    await stop(parley)
    expect(await runJson(['backup', 'stopped'], { env, cwd })).toMatchObject({ secret: 'needed' })
    expect((await readFile(join(cwd, 'stopped'), 'latin1')).slice(0, 200)).not.toContain(env.PARLEY_SECRET)
    await cp(join(cwd, 'stopped'), join(elsewhere, 'stopped'))
    const restored = await runCommand(['restore', 'stopped'], { env: {}, cwd: elsewhere })
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('set PARLEY_SECRET to') })

    const postgres = await newPostgres()
    const told = await runCommand(['backup', 'there'], { env: postgres, cwd })
    expect(told).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("pg_dump --format=custom --file='there'"),
    })
  })
})
