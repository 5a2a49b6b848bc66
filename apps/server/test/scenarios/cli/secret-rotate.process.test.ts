import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  Agent,
  AuditLogHead,
  AuditLogRecord,
  Connection,
  ConnectionTest,
  Page,
  PhoneConnection,
  PhoneConnectionTest,
} from '@parley/contract'
import { Secret, TOTP } from 'otpauth'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '#server/adapters/database/open-postgres.js'
import type { ApiClient } from '../../support/api-client.js'
import { patiently, readRecords, verify } from '../../support/audit/audit-fixture.js'
import { runCommand, runJson, spawnProgram } from '../../support/cli/run-command.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { makeVisitor, password, signedIn } from '../../support/people/signed-in.js'
import {
  bootstrap,
  cleanUp,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
  slow,
} from '../../support/process/parley-process.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { type RunningService, startService } from '../../support/start-service.js'

const stepMilliseconds = 30_000
const newSecret = 'the next secret, which is long enough too'

let provider: ScriptedHttpServer

beforeAll(async () => {
  provider = await startScriptedHttpServer()
})
afterAll(cleanUp)
afterAll(() => provider.close())

function start(directory: string, env: Readonly<Record<string, string>>) {
  const settings = {
    PARLEY_DATA_DIR: join(directory, 'data'),
    PARLEY_SECRET: '',
    PARLEY_ALLOWED_PRIVATE_HOSTS: new URL(provider.url).host,
  }
  const database = 'DATABASE_URL' in env ? 'postgres' : 'embedded'
  return startService({ database, env: { ...bootstrap, ...settings, ...env } })
}

async function addConnection(client: ApiClient, name: string): Promise<string> {
  const body = { name, kind: 'openai-compatible', baseUrl: `${provider.url}/v1`, apiKey: `sk-${name}` }
  return (await client.call<Connection>('POST', '/api/v1/Connection', { body })).body.id
}

/** Returns the key that the provider receives. This proves that the service can decrypt it. */
async function keyOf(client: ApiClient, id: string): Promise<string | undefined> {
  const asked = provider.expect('GET /v1/models', { body: { data: [] } })
  const { body } = await client.call<ConnectionTest>('POST', `/api/v1/Connection/${id}/test`)
  expect(body).toMatchObject({ ok: true })
  return (await asked).headers.authorization
}

async function addPhoneConnection(client: ApiClient): Promise<string> {
  const body = { name: 'Line', kind: 'twilio', accountId: 'AC1', secret: 'token', baseUrl: provider.url }
  return (await client.call<PhoneConnection>('POST', '/api/v1/PhoneConnection', { body })).body.id
}

/** Returns the credentials that the telephone provider receives. */
async function credentialsOf(client: ApiClient, id: string): Promise<string | undefined> {
  const asked = provider.expect('GET /2010-04-01/Accounts/AC1.json', { body: {} })
  const { body } = await client.call<PhoneConnectionTest>('POST', `/api/v1/PhoneConnection/${id}/test`)
  expect(body).toMatchObject({ ok: true })
  return (await asked).headers.authorization
}

/** Creates an agent whose tool had another header value before. */
async function addChangedAgent(client: ApiClient): Promise<string> {
  const agent = (Authorization: string) => {
    const request = { method: 'GET', url: `${provider.url}/menu`, headers: { Authorization } }
    return { name: 'Waiter', tools: [{ kind: 'http', name: 'menu', description: 'The menu.', request }] }
  }
  const { id } = (await client.call<Agent>('POST', '/api/v1/Agent', { body: agent('Bearer old') })).body
  await client.call('PUT', `/api/v1/Agent/${id}`, { body: agent('Bearer new') })
  return id
}

/** Returns the header value that the tool's server receives. */
async function headerOf(client: ApiClient, agentId: string): Promise<string | undefined> {
  const asked = provider.expect('GET /menu', { body: {} })
  const body = { arguments: {}, dryRun: false }
  await client.call('POST', `/api/v1/Agent/${agentId}/tool/menu/test`, { body })
  return (await asked).headers.authorization
}

/** Creates a webhook with two signing secrets. */
async function addRotatedWebhook(client: ApiClient) {
  const body = { name: 'Hook', url: `${provider.url}/hook`, events: ['turn.ended'] }
  const made = await client.call<{ id: string; secret: string }>('POST', '/api/v1/Webhook', { body })
  const { id, secret } = made.body
  const rotated = await client.call<{ secret: string }>('POST', `/api/v1/Webhook/${id}/rotate-secret`)
  return { id, secrets: [rotated.body.secret, secret] }
}

/** Returns which of its secrets have signed a test delivery. */
async function signaturesOf(
  client: ApiClient,
  { id, secrets }: { readonly id: string; readonly secrets: readonly string[] },
): Promise<boolean[]> {
  const came = provider.expect('POST /hook')
  await client.call('POST', `/api/v1/Webhook/${id}/test`)
  const { headers, body } = await came
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000)
  const signatures = String(headers['webhook-signature']).split(' ')
  const sign = (secret: string) =>
    new StandardWebhook(secret).sign(String(headers['webhook-id']), sentAt, body)
  return secrets.map((secret, index) => signatures[index] === sign(secret))
}

/** Creates a person with an authenticator. Returns its next code, because each code works once. */
async function addSecondFactor(running: RunningService) {
  const { person, call } = await signedIn(running, 'owner')
  const enrollment = JSON.parse((await call('POST', '/api/v1/Me/totp', { body: { password } })).text)
  const totp = new TOTP({ secret: Secret.fromBase32(enrollment.secret) })
  const codeAt = (timestamp: number) => totp.generate({ timestamp })
  const confirmed = await call('PUT', '/api/v1/Me/totp', { body: { code: codeAt(Date.now()) } })
  expect(confirmed.status, confirmed.text).toBe(200)
  return { email: person.email, codeAfter: () => codeAt(Date.now() + stepMilliseconds) }
}

/**
 * Checks that the records sealed with the old secret verify without it, and that later ones have another
 * key.
 */
async function expectChainAcross({ client }: RunningService, held: AuditLogHead): Promise<void> {
  await expect
    .poll(() => verify(client, `?Sequence=${held.sequence}&Hash=${held.hash}`), patiently)
    .toMatchObject({ valid: true, unsealedCount: 0, heldHead: 'contained' })
  const { keyId } = (await client.call<AuditLogHead>('GET', '/api/v1/AuditLog/head')).body
  const keyIds = (await readRecords(client)).map((record) => record.keyId)
  expect(new Set(keyIds)).toEqual(new Set([held.keyId, keyId]))
}

async function expectExportVerified({ client, ...running }: RunningService, cwd: string): Promise<void> {
  const [file, head] = [join(cwd, 'export.ndjson'), join(cwd, 'head.json')]
  await writeFile(head, (await client.call('GET', '/api/v1/AuditLog/head')).text)
  const response = await fetch(`${running.url}/api/v1/AuditLog/export`, {
    headers: { 'x-api-key': running.apiKey, 'x-org-id': running.organizationId },
  })
  const exported = await response.text()
  const check = async (text: string) => {
    await writeFile(file, text)
    return runCommand(['audit', 'verify', file, '--head', head], { env: {}, cwd })
  }
  expect(await check(exported)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('The chain is valid'),
  })
  const [, second = '', ...rest] = exported.split('\n')
  expect(await check([second, ...rest].join('\n'))).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Record 1 is missing.'),
  })
}

describe('parley secret rotate', slow, () => {
  test('replaces the secret of the data directory while the service runs [CLI-9] [AUD-11]', async () => {
    const cwd = await newMigratedDirectory()
    const first = await start(cwd, {})
    const id = await addConnection(first.client, 'one')
    const agentId = await addChangedAgent(first.client)
    const phoneConnectionId = await addPhoneConnection(first.client)
    const { email, codeAfter } = await addSecondFactor(first)
    await expect.poll(() => verify(first.client), patiently).toMatchObject({ valid: true, unsealedCount: 0 })
    const held = (await first.client.call<AuditLogHead>('GET', '/api/v1/AuditLog/head')).body
    const webhook = await addRotatedWebhook(first.client)
    const before = await readFile(join(cwd, 'data', 'secret'), 'utf8')
    expect(await runJson(['secret', 'rotate'], { env: {}, cwd })).toEqual({
      connections: 1,
      agents: 1,
      revisions: 2,
      webhooks: 1,
      mcpAuthorizations: 0,
      phoneConnections: 1,
      people: 1,
    })
    expect(await readFile(join(cwd, 'data', 'secret'), 'utf8')).not.toBe(before)
    expect(await readdir(join(cwd, 'data'))).not.toContain('secret.next')
    expect(await keyOf(first.client, id)).toBe('Bearer sk-one')
    const { headers } = await first.client.call('GET', `/api/v1/Connection/${id}`)
    expect(headers.get('etag')).toBe('"1"')
    const log = await first.client.call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Action=secret.rotate')
    expect(log.body.items).toMatchObject([{ actor: { type: 'operator' }, details: { connections: 1 } }])
    await first.close()
    const second = await start(cwd, {})
    await expectChainAcross(second, held)
    await expectExportVerified(second, cwd)
    expect(await keyOf(second.client, id)).toBe('Bearer sk-one')
    const credentials = `Basic ${Buffer.from('AC1:token').toString('base64')}`
    expect(await credentialsOf(second.client, phoneConnectionId)).toBe(credentials)
    expect(await headerOf(second.client, agentId)).toBe('Bearer new')
    expect(await signaturesOf(second.client, webhook)).toEqual([true, true])
    await second.client.call('POST', `/api/v1/Agent/${agentId}/revision/1/restore`)
    expect(await headerOf(second.client, agentId)).toBe('Bearer old')
    const signIn = (body: object) =>
      makeVisitor(second).call('POST', '/api/v1/SignIn', { body: { email, password, ...body } })
    expectProblem(await signIn({}), 'SecondFactorRequired')
    expect((await signIn({ code: codeAfter() })).status).toBe(200)
  })

  test('resumes after a kill on PostgreSQL while instances with both secrets serve requests [CLI-9]', async () => {
    const cwd = await newDirectory()
    const postgres = await newPostgres()
    const old = await start(cwd, postgres)
    const ids: string[] = []
    for (let index = 0; index < 40; index += 1) ids.push(await addConnection(old.client, `n${index}`))
    const unable = await runCommand(['secret', 'rotate'], { env: postgres, cwd })
    expect(unable).toMatchObject({ code: 1, stderr: expect.stringContaining('PARLEY_SECRET_PREVIOUS') })
    await old.close()

    const env = { ...postgres, PARLEY_SECRET: newSecret, PARLEY_SECRET_PREVIOUS: postgres.PARLEY_SECRET }
    const both = await start(cwd, env)
    const { client } = both
    const pool = openPostgres(postgres.DATABASE_URL, () => undefined)
    const sealed = async () =>
      (
        await pool.query<{ text: string }>(
          'select sealed_api_key as text from connection where sealed_api_key is not null',
        )
      ).rows.map(({ text }) => text)
    const original = new Set(await sealed())
    const countLeft = async () => (await sealed()).filter((text) => original.has(text)).length
    const child = spawnProgram(['secret', 'rotate'], { env, cwd })
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
      revisions: 0,
      webhooks: 0,
      mcpAuthorizations: 0,
      phoneConnections: 0,
      people: 0,
    })
    expect(await countLeft()).toBe(0)
    await pool.end()
    expect(await keyOf(client, ids[0] ?? '')).toBe('Bearer sk-n0')
    await both.close()

    await expect(start(cwd, postgres)).rejects.toThrow('PARLEY_SECRET is not the secret')
    const renewed = await start(cwd, { ...postgres, PARLEY_SECRET: newSecret })
    expect(await keyOf(renewed.client, ids.at(-1) ?? '')).toBe('Bearer sk-n39')
  })
})
