import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Connection, ConnectionTest, Task } from '@parley/contract'
import { afterAll, expect, test } from 'vitest'
import { patiently, verify } from '../../support/audit/audit-fixture.js'
import {
  bootstrap,
  cleanUp,
  newDirectory,
  newEmptyPostgres,
  newPostgres,
  slow,
} from '../../support/process/parley-process.js'
import { startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { findInstallation } from '../../support/services/programs/find-installation.js'
import { commandIn } from '../../support/services/programs/installation.js'
import { wantedPrograms } from '../../support/services/programs/wanted-programs.js'
import { startService } from '../../support/start-service.js'

afterAll(cleanUp)

/** Runs a command of docs/reference/backup-and-upgrade.md with the variable that it names. */
async function runAsDocumented(command: string, env: Readonly<Record<string, string>>): Promise<void> {
  const { installation } = await findInstallation(wantedPrograms.postgresClient, () => undefined)
  const run = commandIn(installation, ['sh', '-c', command])
  const [shell = '', ...args] = run.command
  await promisify(execFile)(shell, args, { env: { ...process.env, ...run.environment, ...env } })
}

/** Returns the row count and a fingerprint of every table. */
function tableFingerprints(url: string): Promise<readonly unknown[]> {
  return withPostgresClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    )
    const fingerprints: unknown[] = []
    for (const { name } of rows) {
      const sum = `select count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t`
      fingerprints.push({ name, ...(await client.query(sum)).rows[0] })
    }
    return fingerprints
  })
}

test(
  'a restored PostgreSQL dump has the same rows, and its service can decrypt its secrets [OPS-19]',
  slow,
  async () => {
    const [from, to] = [await newPostgres(), await newEmptyPostgres()]
    const file = join(await newDirectory(), 'parley.dump')
    const provider = await startScriptedHttpServer()
    const env = { ...bootstrap, PARLEY_ALLOWED_PRIVATE_HOSTS: new URL(provider.url).host }
    const first = await startService({ env: { ...env, ...from } })
    const made = await first.client.call<Connection>('POST', '/api/v1/Connection', {
      body: { name: 'Kept', kind: 'openai-compatible', baseUrl: `${provider.url}/v1`, apiKey: 'sk-kept' },
    })
    const task = await first.client.call<Task>('POST', '/api/v1/Task', { body: { title: 'Keep me' } })
    await expect.poll(() => verify(first.client), patiently).toMatchObject({ valid: true, unsealedCount: 0 })
    await first.close()

    await runAsDocumented(`pg_dump --format=custom --file='${file}' "$DATABASE_URL"`, from)
    await runAsDocumented(`pg_restore --no-owner --dbname="$DATABASE_URL" '${file}'`, to)
    const fingerprints = await tableFingerprints(from.DATABASE_URL)
    expect(fingerprints.length).toBeGreaterThan(20)
    expect(await tableFingerprints(to.DATABASE_URL)).toEqual(fingerprints)

    const second = await startService({ env: { ...env, ...to } })
    expect((await second.client.call<Task>('GET', `/api/v1/Task/${task.body.id}`)).body).toEqual(task.body)
    expect(await verify(second.client)).toMatchObject({ valid: true })
    const asked = provider.expect('GET /v1/models', { body: { data: [] } })
    const path = `/api/v1/Connection/${made.body.id}/test`
    expect((await second.client.call<ConnectionTest>('POST', path)).body).toMatchObject({ ok: true })
    expect((await asked).headers.authorization).toBe('Bearer sk-kept')
    await second.close()
    await provider.close()
  },
)
