import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiKey, AuditLogRecord, Page } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { type CommandEnd, runCommand, runJson, runProgramJson } from '../../support/cli/run-command.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newEmptyPostgres,
  newMigratedDirectory,
  newPostgres,
  patiently,
  slow,
} from '../../support/process/parley-process.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'

interface MadeKey {
  readonly organizationId: string
  readonly id: string
  readonly name: string
  readonly key: string
}

interface MadeOrganization {
  readonly organizationId: string
  readonly name: string
  readonly key: string
}

describe.each(databaseKinds)("the operator's command on the %s database", (kind) => {
  const isEmbedded = kind === 'embedded'
  let cwd: string
  let env: Readonly<Record<string, string>>
  let running: RunningService
  let client: ApiClient

  const command = (...args: string[]): Promise<CommandEnd> => runCommand(args, { env, cwd })
  const json = <Result>(...args: string[]): Promise<Result> => runJson<Result>(args, { env, cwd })
  const as = (made: { organizationId: string; key: string }) =>
    client.as({ organizationId: made.organizationId, apiKey: made.key })
  const listed = (caller: ApiClient) => caller.call<Page<ApiKey>>('GET', '/api/v1/ApiKey')

  async function start(): Promise<void> {
    const settings = { PARLEY_DATA_DIR: join(cwd, 'data'), PARLEY_SECRET: '', ...env, ...bootstrap }
    running = await startService({ database: kind, env: settings })
    client = running.client
  }

  beforeAll(async () => {
    cwd = isEmbedded ? await newMigratedDirectory() : await newDirectory()
    env = isEmbedded ? {} : await newPostgres()
    await start()
  }, slow.timeout)

  afterAll(async () => {
    await running.close()
    await cleanUp()
  })

  test('explains what to do if nothing has been started yet [CLI-1]', async () => {
    const settings = { env: isEmbedded ? {} : await newEmptyPostgres(), cwd: await newDirectory() }
    const early = await runCommand(['org', 'list'], settings)
    expect(early).toMatchObject({ code: 1, stdout: '' })
    expect(early.stderr).toContain('parley start')
  })

  test(
    'creates an organization whose key works immediately in the running service [CLI-1] [CLI-2]',
    slow,
    async () => {
      // There is only one organization, so the command needs no further options.
      const { organizationId } = credentials
      const first = await runProgramJson(['key', 'create'], { env, cwd })
      expect(first).toMatchObject({ organizationId, name: 'Operator' })
      const made = await json<MadeOrganization>('org', 'create', '--name', 'Blue Hotel')
      expect(made).toEqual({
        organizationId: expect.any(String),
        name: 'Blue Hotel',
        keyId: expect.any(String),
        key: expect.stringMatching(/^prl_/),
      })
      expect((await listed(as(made))).body.items).toMatchObject([{ name: 'First key' }])
      const { body } = await as(made).call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog')
      const actors = body.items.map(({ action, actor }) => [action, actor.type])
      expect(actors).toEqual([
        ['connection.create', 'operator'],
        ['api_key.create', 'operator'],
        ['organization.create', 'operator'],
      ])
      expect(await json('org', 'list')).toMatchObject([
        { organizationId, isFirst: true, keys: 2 },
        { organizationId: made.organizationId, name: 'Blue Hotel', isFirst: false, keys: 1 },
      ])
      expect((await command('org', 'list')).stdout).toMatch(/^ORGANIZATION .*\n.*\n.*Blue Hotel/)
      if (isEmbedded) expect((await stat(join(cwd, 'data', 'lock', 'operator'))).mode & 0o777).toBe(0o600)
    },
  )

  test('creates a link that makes a person an owner [CLI-1] [PPL-16]', slow, async () => {
    const org = credentials.organizationId
    const { link } = await json<{ link: string }>('owner-link', '--org', org)
    const [page, token = ''] = link.split('/#/owner?token=')
    expect(page).toMatch(/^http:/)
    const body = { token, email: 'alex@example.com', name: 'Alex', password: 'a new long sentence' }
    const headers = { origin: running.url }
    const accept = () => client.call('POST', '/api/v1/Invitation/accept', { body, headers })
    const accepted = await accept()
    expect(accepted.body).toMatchObject({ organizations: [{ id: org, role: 'owner' }] })
    expect(await accept()).toMatchObject({ status: 400, body: { errorCode: 'InvitationInvalid' } })
    const { body: log } = await client.call<Page<AuditLogRecord>>(
      'GET',
      '/api/v1/AuditLog?Action=invitation.create&Limit=1',
    )
    expect(log.items).toMatchObject([{ actor: { type: 'operator' }, details: { role: 'owner' } }])
  })

  test(
    'releases an address and ends lockouts in all organizations of the person [PPL-29]',
    slow,
    async () => {
      const headers = { origin: running.url }
      const password = 'a new long sentence'
      const email = 'robin@example.com'
      const signIn = (given: string) =>
        client.call('POST', '/api/v1/SignIn', { body: { email, password: given }, headers })
      const join = async () => {
        const made = await client.call<{ link: string }>('POST', '/api/v1/Invitation', {
          body: { email, role: 'admin' },
        })
        const body = { token: made.body.link.split('token=')[1], name: 'Robin', password }
        return client.call('POST', '/api/v1/Invitation/accept', { body, headers })
      }
      expect((await join()).status).toBe(201)
      for (let wrong = 0; wrong < 10; wrong += 1) await signIn('not the right one')
      expect((await signIn(password)).status).toBe(401)
      const unlocked = await json<object>('person', 'unlock', 'Robin@Example.com')
      expect(unlocked).toEqual({ email, lockedUntil: expect.any(String), wrongTries: 0 })
      expect((await signIn(password)).status).toBe(200)
      expect(await json('person', 'unlock', email)).toEqual({ email, lockedUntil: null, wrongTries: 0 })

      const released = await json<object>('person', 'release', email)
      const { organizationId } = credentials
      expect(released).toMatchObject({
        ...{ email, accounts: 1 },
        memberships: [{ organizationId, role: 'admin', wasLastOwner: false }],
      })
      expect((await signIn(password)).status).toBe(401)
      expect(await command('person', 'release', email)).toMatchObject({
        code: 1,
        stderr: `No account has the email address ${email}.\n`,
      })
      expect(await command('person', 'unlock', 'no address')).toMatchObject({ code: 1 })
      expect((await join()).status).toBe(201)
      const { body: log } = await client.call<Page<AuditLogRecord>>('GET', '/api/v1/AuditLog?Limit=100')
      const byOperator = log.items.filter(
        ({ actor, resourceId }) => actor.type === 'operator' && resourceId !== null,
      )
      expect(byOperator.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['member.delete', 'person.unlock']),
      )
    },
  )

  test('creates keys with the requested scopes and expiry [CLI-3]', slow, async () => {
    const org = credentials.organizationId
    const args = ['--org', org, '--name', 'ci', '--scopes', 'agent:read,task:write', '--expires', '30d']
    const made = await json<MadeKey>('key', 'create', ...args)
    expect(Object.keys(made).sort()).toEqual(['id', 'key', 'name', 'organizationId'])
    const { body } = await listed(client)
    const found = body.items.find(({ id }) => id === made.id)
    expect(found).toMatchObject({ name: 'ci', scopes: ['agent:read', 'task:write'] })
    const days = (Date.parse(found?.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThan(30.1)
    expect((await as(made).call('GET', '/api/v1/Agent')).status).toBe(200)
    expect((await listed(as(made))).status).toBe(403)
    const lines = await json<Record<string, unknown>[]>('key', 'list', '--org', org)
    expect(lines).toContainEqual(expect.objectContaining({ id: made.id, name: 'ci' }))
    expect(JSON.stringify(lines)).not.toContain(made.key)
  })

  test('explains errors with a code for scripts [CLI-5]', slow, async () => {
    const unknown = '019a0000-0000-7000-8000-000000000000'
    const refused = await command('key', 'create', '--org', unknown, '--name', 'x', '--json')
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'NotFound' } })
    expect(await command('key', 'delete', 'no-id')).toMatchObject({ code: 1 })
    const scope = await command('key', 'create', '--org', unknown, '--name', 'x', '--scopes', 'agent:fly')
    expect(scope.code).toBe(2)
    expect(scope.stderr).toContain('agent:fly is not a scope')
    const whose = await command('key', 'create', '--name', 'x')
    expect(whose).toMatchObject({ code: 1, stderr: expect.stringContaining('parley org list') })
    expect((await command('org', 'create', '--name', ' ')).stderr).toContain('name must have at least 1')
  })

  test('restores access when every key is gone, even if the service is stopped [CLI-4]', slow, async () => {
    const org = credentials.organizationId
    for (const { id } of await json<MadeKey[]>('key', 'list', '--org', org)) await json('key', 'delete', id)
    expect((await client.call('GET', '/api/v1/Agent')).status).toBe(401)
    const meanwhile = await json<MadeKey>('key', 'create', '--org', org, '--name', 'while it runs')
    expect((await listed(as(meanwhile))).body.items).toMatchObject([{ id: meanwhile.id }])

    await running.close()
    const stopped = await json<MadeKey>('key', 'create', '--org', org, '--name', 'while it does not')
    await json('key', 'delete', meanwhile.id)
    await start()
    expect((await as(meanwhile).call('GET', '/api/v1/Agent')).status).toBe(401)
    expect((await listed(as(stopped))).body.items).toMatchObject([{ id: stopped.id }])
    const { body } = await as(stopped).call<Page<AuditLogRecord>>(
      'GET',
      '/api/v1/AuditLog?Action=api_key.delete&Limit=1',
    )
    expect(body.items).toMatchObject([{ resourceId: meanwhile.id, actor: { type: 'operator' } }])
    // The rejected requests are audited too, and the service seals them within moments.
    const verified = async () => (await as(stopped).call('GET', '/api/v1/AuditLog/verify')).body
    await expect.poll(verified, patiently).toMatchObject({ valid: true, unsealedCount: 0 })
  })
})
