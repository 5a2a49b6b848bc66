import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Agent, AuditLogRecord, Connection, Page } from '@parley/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient, Credentials } from '../../support/api-client.js'
import { runCommand } from '../../support/cli/run-command.js'
import { startHookedProxy } from '../../support/http/hooked-proxy.js'
import { useService } from '../../support/http/use-service.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'

const examples = fileURLToPath(new URL('../../../../../examples/agents', import.meta.url))
const token = 'booking-secret-4711'

const http = useService()
let cwd: string

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'parley-files-'))
})

/** Everything that a command of this file has printed. It must contain no secret. */
let printed = ''

async function parley(
  credentials: Credentials,
  args: readonly string[],
  env: Record<string, string> = {},
  url = http.running.url,
) {
  const { organizationId: ORG = '', apiKey: KEY = '' } = credentials
  const settings = { env: { ORG, KEY, BOOKING_TOKEN: token, ...env }, cwd }
  const ended = await runCommand([...args, '--url', url], settings)
  printed += ended.stdout + ended.stderr
  return ended
}

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(cwd, name)
  await writeFile(path, text)
  return path
}

const organization = async () => {
  const credentials = await addOrganization(http.running)
  return { credentials, client: http.client.as(credentials) }
}

const all = async <Item>(client: ApiClient, name: string) =>
  (await client.call<Page<Item>>('GET', `/api/v1/${name}?Limit=200`)).body.items

const agentOf = async (client: ApiClient, externalId: string) =>
  (await all<Agent>(client, 'Agent')).find((agent) => agent.externalId === externalId)

describe('the examples', () => {
  test('the examples can be planned and applied with a minimal key, and a second plan is empty [CODE-5]', async () => {
    const { credentials, client } = await organization()
    const scopes = ['agent', 'connection', 'webhook', 'usage'].flatMap((one) => [
      `${one}:read`,
      `${one}:write`,
    ])
    const { body } = await client.call<{ id: string; key: string }>('POST', '/api/v1/ApiKey', {
      body: { name: 'CI', scopes },
    })
    const ci = { ...credentials, apiKey: body.key }
    const planned = await parley(ci, ['plan', examples])
    expect([planned.code, planned.stderr]).toEqual([2, ''])
    expect(planned.stdout).toContain('+ agents front-desk (Front desk)')
    expect(planned.stdout).toContain('6 to create.')
    expect(await agentOf(client, 'front-desk')).toBeUndefined()

    const secrets = join(cwd, 'webhook-secrets')
    const applied = await parley(ci, ['apply', examples, '--secrets-out', secrets])
    expect(applied).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(secrets, 'utf8')).toMatch(/^booking-system=whsec_\S+\n$/)
    expect([(await stat(secrets)).mode & 0o777, applied.stdout.includes('whsec_')]).toEqual([0o600, false])
    const agent = await agentOf(client, 'front-desk')
    const helper = await agentOf(client, 'housekeeping')
    expect(agent).toMatchObject({
      managedBy: 'hotel',
      subAgentIds: [helper?.id],
      connectionId: helper?.connectionId,
    })
    expect(agent?.tools[1]).toMatchObject({ request: { headerNames: ['Authorization'] } })
    expect(helper?.tools).toMatchObject([{ approvalRequired: true, approvedBy: 'staff' }])
    const again = await parley(ci, ['plan', examples])
    expect([again.code, again.stdout]).toEqual([0, 'No changes: 6 resources match the files.\n'])
    expect(await parley(ci, ['apply', examples])).toMatchObject({ code: 0 })

    const revisions = await client.call('GET', `/api/v1/Agent/${agent?.id}/revision`)
    expect(revisions.body).toMatchObject({
      totalCount: 1,
      items: [{ actor: { type: 'api_key', name: 'CI' } }],
    })
    const records = await all<AuditLogRecord>(client, 'AuditLog')
    expect(
      records
        .filter(({ actor }) => actor.name === 'CI')
        .map(({ action }) => action)
        .sort(),
    ).toEqual([
      ...['agent.create', 'agent.create', 'budget.create', 'budget.create'],
      ...['connection.create', 'webhook.create'],
    ])
  })
})

describe('a change made after the plan', () => {
  test('is not overwritten, and nothing else is applied [CODE-6]', async () => {
    const { credentials, client } = await organization()
    const text = (model: string) => `set: hotel
agents:
  desk: { name: Desk, model: ${model} }
  other: { name: Other, model: ${model} }
`
    const file = await fileOf('meanwhile.yaml', text('one'))
    await parley(credentials, ['apply', file])
    await fileOf('meanwhile.yaml', text('two'))
    const plan = join(cwd, 'meanwhile.json')
    const planned = await parley(credentials, ['plan', file, '--out', plan])
    expect(planned.stdout).toContain('model: one → two')

    const { id } = (await agentOf(client, 'desk')) ?? {}
    await client.call('PATCH', `/api/v1/Agent/${id}`, { body: { model: 'by-hand' } })
    const refused = await parley(credentials, ['apply', file, '--plan', plan])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('agents desk')
    expect(refused.stderr).toContain('Run parley plan again')
    expect(await agentOf(client, 'desk')).toMatchObject({ model: 'by-hand' })
    expect(await agentOf(client, 'other')).toMatchObject({ model: 'one' })

    await parley(credentials, ['plan', file, '--out', plan])
    expect(await parley(credentials, ['apply', file, '--plan', plan])).toMatchObject({ code: 0 })
    expect(await agentOf(client, 'desk')).toMatchObject({ model: 'two' })
    expect(await parley(credentials, ['apply', file, '--plan', plan])).toMatchObject({ code: 1 })
  })

  test('is not overwritten during apply either, and later changes are not applied [CODE-6]', async () => {
    const { credentials, client } = await organization()
    const text = (model: string) => `set: hotel
agents:
  first: { name: First, model: ${model} }
  second: { name: Second, model: ${model} }
`
    const file = await fileOf('under-way.yaml', text('one'))
    await parley(credentials, ['apply', file])
    await fileOf('under-way.yaml', text('two'))
    const { id } = (await agentOf(client, 'first')) ?? {}
    const url = await startHookedProxy(http.running.url, {
      before: ({ method, url: path = '' }) => method === 'PUT' && !path.includes('DryRun'),
      act: () => client.call('PATCH', `/api/v1/Agent/${id}`, { body: { model: 'by-hand' } }),
    })
    const stopped = await parley(credentials, ['apply', file], {}, url)
    expect([stopped.code, stopped.stderr]).toEqual([1, expect.stringContaining('agents first has changed')])
    expect(await agentOf(client, 'first')).toMatchObject({ model: 'by-hand' })
    expect(await agentOf(client, 'second')).toMatchObject({ model: 'one' })
    expect(await parley(credentials, ['apply', file], {}, url)).toMatchObject({ code: 0 })
    expect(await agentOf(client, 'first')).toMatchObject({ model: 'two' })
  })
})

describe('secrets', () => {
  const text = (baseUrl: string) => `set: hotel
connections:
  models: { name: Models, kind: openai-compatible, baseUrl: '${baseUrl}', apiKey: '\${env:MODELS_KEY}' }
agents:
  desk:
    name: Desk
    connection: models
    tools:
      - kind: http
        name: find
        description: Finds.
        request:
          method: GET
          url: https://example.com/find
          query: { token: '\${env:QUERY_TOKEN}' }
          headers: { X-Api-Key: '\${env:TOOL_KEY}', Accept: text/plain }
`
  const env = { MODELS_KEY: 'sk-models-secret', QUERY_TOKEN: 'query-secret', TOOL_KEY: 'tool-secret' }

  test('secrets are read from the environment, sent again to a new address, and never shown [CODE-7]', async () => {
    const { credentials, client } = await organization()
    const file = await fileOf('secrets.yaml', text('https://one.example.com'))
    expect(await parley(credentials, ['apply', file], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await parley(credentials, ['plan', file], env)).toMatchObject({ code: 0 })

    const rotated = {
      MODELS_KEY: 'sk-rotated-secret',
      QUERY_TOKEN: 'rotated-query',
      TOOL_KEY: 'rotated-tool',
    }
    const plan = await parley(credentials, ['plan', file, '--json'], rotated)
    const changes = JSON.parse(plan.stdout).changes as { fields: { path: string }[] }[]
    expect(changes.map(({ fields }) => fields.map(({ path }) => path))).toEqual([
      ['apiKey'],
      ['tools.find.request.query.token', 'tools (header values)'],
    ])
    await fileOf('secrets.yaml', text('https://two.example.com'))
    await parley(credentials, ['apply', file], rotated)
    expect(await all<Connection>(client, 'Connection')).toContainEqual(
      expect.objectContaining({ externalId: 'models', baseUrl: 'https://two.example.com', hasApiKey: true }),
    )
    const exported = await parley(credentials, ['export'])
    expect(exported.stdout).toContain(`apiKey: \${env:MODELS_API_KEY}`)
    expect(exported.stdout).toContain(`X-Api-Key: \${env:DESK_FIND_X_API_KEY}`)
    expect(exported.stdout).toContain(`token: \${env:DESK_FIND_TOKEN}`)

    const missing = await parley(credentials, ['plan', file])
    expect(missing).toMatchObject({ code: 1 })
    expect(missing.stderr).toContain('secrets.yaml:3:')
    expect(missing.stderr).toContain('MODELS_KEY, which is not set')
    const shown = printed + http.running.log.join('')
    for (const secret of [token, ...Object.values(env), ...Object.values(rotated)])
      expect(shown).not.toContain(secret)
  })
})

describe('pruning', () => {
  test('deletes resources that the set no longer names, and only if requested [CODE-8]', async () => {
    const { credentials, client } = await organization()
    await client.call('POST', '/api/v1/Agent', { body: { name: 'By hand', externalId: 'by-hand' } })
    await client.call('POST', '/api/v1/Agent', {
      body: { name: 'Theirs', externalId: 'b', managedBy: 'other' },
    })
    const file = await fileOf(
      'prune.yaml',
      'set: hotel\nconnections:\n  c: { name: C, kind: openai }\nagents:\n  a: { name: A, connection: c }\n  x: { name: X }\n',
    )
    await parley(credentials, ['apply', file])
    await fileOf('prune.yaml', 'set: hotel\nagents:\n  x: { name: X }\n')
    const kept = await parley(credentials, ['apply', file])
    expect(kept.stdout).toContain('agents a. --prune deletes them.')
    expect((await all<Agent>(client, 'Agent')).map(({ name }) => name).sort()).toEqual([
      'A',
      'By hand',
      'Theirs',
      'X',
    ])
    const pruned = await parley(credentials, ['apply', file, '--prune'])
    expect(pruned.stdout).toContain('- agents a (A)')
    expect(pruned.stdout).toContain('- connections c (C)')
    expect((await all<Agent>(client, 'Agent')).map(({ name }) => name).sort()).toEqual([
      'By hand',
      'Theirs',
      'X',
    ])
    await fileOf('prune.yaml', 'set: hotel\nagents:\n  b: { name: Mine }\n')
    expect((await parley(credentials, ['plan', file])).stderr).toContain(
      'prune.yaml:3:3: agents.b is kept in the set other',
    )
  })
})

describe('an error in a file', () => {
  const mistakes = [
    ['agents:\n  a: { name: A, voices: x }', '3:17', 'agents.a.voices is not a known field'],
    ['agents:\n  a:\n    name: A\n    subAgents: [nobody]', '5:17', 'agents.a.subAgents[0] names nobody'],
    [
      'agents:\n  a: { name: A, subAgents: [b] }\n  b: { name: B, subAgents: [a] }',
      '4:29',
      'leads back to itself',
    ],
    [
      'connections:\n  c: { name: C, kind: openai, apiKey: sk-plain }',
      '3:31',
      'connections.c.apiKey must not contain a secret',
    ],
    [
      'connections:\n  c: { name: C, kind: azure-openai }',
      '3:3',
      'connections.c.baseUrl is required if kind is',
    ],
    ['webhooks:\n  w: { name: W, url: "http://127.0.0.1/", events: ["*"] }', '3:17', 'webhooks.w.url'],
    ['agents: [', '3:1', 'is not readable as YAML'],
  ] as const

  test('is reported with file, line and field, and nothing is applied [CODE-9]', async () => {
    const { credentials, client } = await organization()
    for (const [index, [text, place, words]] of mistakes.entries()) {
      const file = await fileOf(`mistake-${index}.yaml`, `set: s\n${text}\n`)
      const ended = await parley(credentials, ['apply', file])
      expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining(`${file}:${place}: `)])
      expect(ended.stderr).toContain(words)
    }
    expect(await all<Agent>(client, 'Agent')).toEqual([])
    const file = await fileOf('scoped.yaml', 'set: s\nagents:\n  a: { name: A }\n')
    const { stores } = http.running.service.database
    const apiKey = await addApiKey(stores, String(credentials.organizationId), ['task:read'])
    const refused = await parley({ ...credentials, apiKey }, ['plan', file, '--json'])
    expect(refused.code).toBe(1)
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'Forbidden' } })
  })
})

describe('an export', () => {
  test('matches its own organization and recreates the same resources in another [CODE-10]', async () => {
    const { credentials, client } = await organization()
    await parley(credentials, ['apply', examples])
    const { body } = await client.call<Agent>('POST', '/api/v1/Agent', {
      body: { name: 'Made by hand', systemMessage: `Say \${env:HOME}.\nTwice.` },
    })
    const file = join(cwd, 'exported.yaml')
    const env = { FRONT_DESK_FIND_BOOKING_AUTHORIZATION: `Bearer ${token}` }
    await parley(credentials, ['export', '--out', file, '--set', 'hotel'])
    const text = await readFile(file, 'utf8')
    expect(text.split('\n')[0]).toBe(`# yaml-language-server: $schema=${http.running.url}/schema/agents.json`)
    expect(text.match(/approvedBy: .*/g)).toEqual(['approvedBy: staff'])
    const own = JSON.parse((await parley(credentials, ['plan', file, '--json'], env)).stdout)
    expect(
      own.changes.map(({ action, externalId }: Agent & { action: string }) => [action, externalId]).sort(),
    ).toEqual([['update', 'made-by-hand']])
    await parley(credentials, ['apply', file], env)
    expect(await agentOf(client, 'made-by-hand')).toMatchObject({
      id: body.id,
      systemMessage: body.systemMessage,
    })

    const other = await organization()
    expect(await parley(other.credentials, ['apply', file], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await parley(other.credentials, ['plan', file], env)).toMatchObject({ code: 0 })
    const namesIn = async (by: ApiClient) => (await all<Agent>(by, 'Agent')).map(({ name }) => name).sort()
    expect(await namesIn(other.client)).toEqual(await namesIn(client))
    expect((await agentOf(other.client, 'housekeeping'))?.tools).toMatchObject([{ approvedBy: 'staff' }])
  })
})

test('a plan of 200 agents needs one request for each [CODE-11]', { timeout: 120_000 }, async () => {
  const { credentials } = await organization()
  let requests = 0
  const count = (): boolean => {
    requests += 1
    return false
  }
  const url = await startHookedProxy(http.running.url, { before: count, act: async () => undefined })
  const requestsFor = async (agentCount: number) => {
    const agents = Array.from({ length: agentCount }, (_, index) => `  a${index}: { name: Agent ${index} }`)
    const file = await fileOf('many.yaml', `set: many\nagents:\n${agents.join('\n')}\n`)
    requests = 0
    const { code, stdout } = await parley(credentials, ['plan', file], {}, url)
    expect([code, stdout.includes(`${agentCount} to create.`)]).toEqual([2, true])
    return requests
  }
  const forOne = await requestsFor(1)
  expect(forOne).toBeGreaterThan(0)
  expect(await requestsFor(200)).toBe(forOne + 199)
})
