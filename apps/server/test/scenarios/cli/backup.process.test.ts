import { cp, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditLogRecord, ConnectionTest, Page, Task } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand, runJson, runProgram } from '../../support/cli/run-command.js'
import {
  bootstrap,
  cleanUp,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
  slow,
} from '../../support/process/parley-process.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { startService } from '../../support/start-service.js'

let provider: ScriptedHttpServer

beforeAll(async () => {
  provider = await startScriptedHttpServer()
})
afterAll(cleanUp)
afterAll(() => provider.close())

function start(directory: string, env: Readonly<Record<string, string>> = {}) {
  const settings = {
    PARLEY_DATA_DIR: join(directory, 'data'),
    PARLEY_SECRET: '',
    PARLEY_ALLOWED_PRIVATE_HOSTS: new URL(provider.url).host,
  }
  return startService({ database: 'embedded', env: { ...bootstrap, ...settings, ...env } })
}

describe('parley backup and restore', slow, () => {
  test('creates a complete backup under load and restores it elsewhere with its secrets [CLI-8]', async () => {
    const [cwd, elsewhere] = [await newMigratedDirectory(), await newDirectory()]
    const running = await start(cwd)
    const { client } = running
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
    const backup = await runJson(['backup', file], { env: {}, cwd })
    isWriting = false
    await writing
    expect(backup).toMatchObject({ file, secret: 'included', bytes: (await stat(file)).size })
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const again = await runProgram(['backup', 'parley.backup'], { env: {}, cwd })
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('never overwrites a file') })
    const inUse = await runCommand(['restore', file], { env: {}, cwd })
    expect(inUse).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by process') })
    await running.close()
    const full = await runCommand(['restore', file], { env: {}, cwd })
    expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('already has a database') })

    const [copyFile, cutFile] = [join(elsewhere, 'copy'), join(elsewhere, 'cut')]
    await cp(file, copyFile)
    await writeFile(cutFile, (await readFile(file)).subarray(0, 200_000))
    const cut = await runCommand(['restore', cutFile], { env: {}, cwd: elsewhere })
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('damaged or truncated') })
    const restored = await runJson(['restore', copyFile], { env: {}, cwd: elsewhere })
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

  test('leaves PARLEY_SECRET out of the backup, and names pg_dump for PostgreSQL [CLI-8]', async () => {
    const [cwd, elsewhere] = [await newMigratedDirectory(), await newDirectory()]
    const env = { PARLEY_SECRET: 'a secret for tests that is long enough' }
    const running = await start(cwd, env)
    await running.close()
    const file = join(cwd, 'stopped')
    expect(await runJson(['backup', file], { env, cwd })).toMatchObject({ secret: 'needed' })
    expect((await readFile(file, 'latin1')).slice(0, 200)).not.toContain(env.PARLEY_SECRET)
    const restored = await runCommand(['restore', file], { env: {}, cwd: elsewhere })
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Set PARLEY_SECRET to') })

    const postgres = await newPostgres()
    const refusal = await runCommand(['backup', 'there'], { env: postgres, cwd })
    expect(refusal).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("pg_dump --format=custom --file='there'"),
    })
  })
})
