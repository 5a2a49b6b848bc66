import type { Agent, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { toolSecretContext } from '#server/domain/agents/tool-secrets.js'
import type { AgentRecord } from '#server/ports/agent-stores.js'
import type { ApiClient } from '../../support/api-client.js'
import { type RunningService, startService } from '../../support/start-service.js'

const secret = 'the secret that header values are sealed under'
const cipher = makeCipher(secret)

let running: RunningService
let client: ApiClient

beforeAll(async () => {
  const servers = JSON.stringify({ files: { command: 'files' }, mail: { command: 'mail' } })
  running = await startService({ env: { PARLEY_SECRET: secret, PARLEY_MCP_SERVERS: servers } })
  client = running.client
})

afterAll(() => running.close())

const path = '/api/v1/Agent'

type Headers = Readonly<Record<string, string | null>>

function httpTool(headers?: Headers, fields: object = {}, request: object = {}) {
  return {
    kind: 'http',
    name: 'find_booking',
    description: 'Finds a booking.',
    request: {
      method: 'GET',
      url: 'https://booking.example.com/v1',
      ...(headers && { headers }),
      ...request,
    },
    ...fields,
  }
}

function mcpTool(headers?: Headers, server: object = { url: 'https://crm.example.com/mcp' }) {
  return { kind: 'mcp', name: 'crm', server: { ...server, ...(headers && { headers }) } }
}

async function create(...tools: object[]): Promise<Agent> {
  const { status, body, text } = await client.call<Agent>('POST', path, { body: { name: 'Agent', tools } })
  expect(status, text).toBe(201)
  return body
}

async function change(method: string, { id }: Agent, body: object): Promise<Agent> {
  const answer = await client.call<Agent>(method, `${path}/${id}`, { body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

const replaceTools = (agent: Agent, ...tools: object[]) => change('PUT', agent, { name: 'Agent', tools })

async function recordOf({ id }: Agent): Promise<AgentRecord> {
  const record = await running.service.database.stores.agents.find(running.organizationId, id)
  if (record === null) throw new Error('The agent is not in the database.')
  return record
}

/** Returns the header values of every tool, decrypted as the service would decrypt them. */
async function headersOf(agent: Agent): Promise<Record<string, Record<string, string>>> {
  const record = await recordOf(agent)
  const open = (tool: string, sealed: Readonly<Record<string, string>>) =>
    Object.entries(sealed).map(([header, text]) => [
      header,
      cipher.open(text, toolSecretContext(record, tool, header)),
    ])
  return Object.fromEntries(
    Object.entries(record.toolSecrets).map(([tool, sealed]) => [
      tool,
      Object.fromEntries(open(tool, sealed)),
    ]),
  )
}

const namesIn = (agent: Agent) =>
  agent.tools.map((tool) => {
    if (tool.kind === 'builtin') return null
    return tool.kind === 'http' ? tool.request.headerNames : tool.server.headerNames
  })

const bearer = 'Bearer sk-of-the-booking-system'
const both = { Authorization: bearer, 'X-Tenant': 'tenant-12345' }

describe('header values', () => {
  test('header values appear in no response, which contains only the header names [AGT-3]', async () => {
    const body = { name: 'Agent', tools: [httpTool(both), mcpTool({ 'x-crm': 'crm-value-1' })] }
    const created = await client.call<Agent>('POST', path, { body })
    const at = `${path}/${created.body.id}`
    const answers = [
      created,
      await client.call<Agent>('GET', at),
      await client.call<Agent>('PUT', at, { body }),
      await client.call<Agent>('PATCH', at, { body }),
      await client.call('GET', path),
      await client.call('GET', '/api/v1/AuditLog'),
    ]
    for (const { text } of answers)
      for (const value of [bearer, 'tenant-12345', 'crm-value-1']) expect(text).not.toContain(value)
    expect(namesIn(created.body)).toEqual([['Authorization', 'X-Tenant'], ['x-crm']])
    expect(created.text).not.toContain('"headers"')
    expect(await headersOf(created.body)).toEqual({ find_booking: both, crm: { 'x-crm': 'crm-value-1' } })
  })

  const changes: [string, Headers | undefined, Record<string, string>][] = [
    ['stay if headers are omitted', undefined, both],
    ['stay if headers are empty', {}, both],
    ['stay if a new one is added', { 'X-New': 'n' }, { ...both, 'X-New': 'n' }],
    ['are cleared by null', { Authorization: null }, { 'X-Tenant': 'tenant-12345' }],
    ['are cleared in any letter case of the name', { AUTHORIZATION: null }, { 'X-Tenant': 'tenant-12345' }],
    ['are replaced', { Authorization: 'other' }, { ...both, Authorization: 'other' }],
    [
      'are replaced in any letter case of the name',
      { 'x-tenant': 't2' },
      { Authorization: bearer, 'x-tenant': 't2' },
    ],
    ['may be empty', { 'X-Tenant': '' }, { ...both, 'X-Tenant': '' }],
    ['are not cleared by another name', { 'X-Other': null }, both],
  ]

  test.each(changes)('header values %s [AGT-3]', async (_what, headers, expected) => {
    for (const method of ['PUT', 'PATCH']) {
      const agent = await create(httpTool(both))
      const after = await change(method, agent, { name: 'Agent', tools: [httpTool(headers)] })
      expect(await headersOf(agent)).toEqual({ find_booking: expected })
      expect(namesIn(after)).toEqual([Object.keys(expected).sort()])
    }
  })

  test('header values are removed from storage if all are cleared [AGT-3]', async () => {
    const agent = await create(httpTool(both))
    const after = await replaceTools(agent, httpTool({ authorization: null, 'x-tenant': null }))
    expect(namesIn(after)).toEqual([[]])
    expect((await recordOf(agent)).toolSecrets).toEqual({})
  })

  test('header values stay after a patch without tools and if a read agent is sent back [AGT-3]', async () => {
    const agent = await create(httpTool(both), mcpTool({ a: '1' }, { name: 'files' }))
    const stored = await headersOf(agent)
    await change('PATCH', agent, { name: 'Renamed' })
    for (const method of ['PUT', 'PATCH']) {
      const read = (await client.call<Agent>('GET', `${path}/${agent.id}`)).body
      expect(namesIn(await change(method, agent, read))).toEqual(namesIn(agent))
      expect(await headersOf(agent)).toEqual(stored)
    }
  })

  test.each(['__proto__', 'constructor', 'toString'])(
    'header values are stored for a tool named %s [AGT-3]',
    async (name) => {
      const agent = await create(httpTool({ Authorization: bearer }, { name }), httpTool())
      expect(namesIn(agent)).toEqual([['Authorization'], []])
      expect(Object.entries(await headersOf(agent))).toEqual([[name, { Authorization: bearer }]])
      const after = await replaceTools(agent, httpTool(undefined, { name }))
      expect(namesIn(after)).toEqual([['Authorization']])
      expect(namesIn(await create(httpTool(undefined, { name })))).toEqual([[]])
    },
  )

  test('header values are limited to 50 per tool, including those that stay [AGT-3]', async () => {
    const headers = (letter: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${letter}-${index}`, 'v']))
    const agent = await create(httpTool(headers('a', 50)))
    const more = { name: 'Agent', tools: [httpTool(headers('b', 1))] }
    for (const method of ['PUT', 'PATCH']) {
      const answer = await client.call<Problem>(method, `${path}/${agent.id}`, { body: more })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toEqual([
        { path: 'tools[0].request.headers', message: 'must have at most 50 headers' },
      ])
    }
    const swapped = await replaceTools(agent, httpTool({ ...headers('b', 1), 'a-0': null }))
    expect(namesIn(swapped)[0]).toHaveLength(50)
  })
})

describe('a tool whose target changes', () => {
  const moves: [string, object, object][] = [
    ['another host', httpTool(both), httpTool(undefined, {}, { url: 'https://other.example.com/v1' })],
    ['another path', httpTool(both), httpTool(undefined, {}, { url: 'https://booking.example.com/v2' })],
    ['another scheme', httpTool(both), httpTool(undefined, {}, { url: 'http://booking.example.com/v1' })],
    ['another name', httpTool(both), httpTool(undefined, { name: 'renamed' })],
    [
      'another kind',
      httpTool(both, { name: 'crm' }),
      mcpTool(undefined, { url: 'https://booking.example.com/v1' }),
    ],
    ['another server address', mcpTool(both), mcpTool(undefined, { url: 'https://crm.example.com/other' })],
    ['a server by name instead', mcpTool(both), mcpTool(undefined, { name: 'files' })],
    ['another server by name', mcpTool(both, { name: 'files' }), mcpTool(undefined, { name: 'mail' })],
  ]

  test.each(moves)(
    'loses header values that are not sent again: %s [AGT-4]',
    async (_where, before, after) => {
      for (const method of ['PUT', 'PATCH']) {
        const agent = await create(before)
        expect(namesIn(await change(method, agent, { name: 'Agent', tools: [after] }))).toEqual([[]])
        expect((await recordOf(agent)).toolSecrets).toEqual({})
        // They do not return with the old address either.
        expect(namesIn(await replaceTools(agent, withoutHeaders(before)))).toEqual([[]])
      }
    },
  )

  test('keeps only the values that are sent again [AGT-4]', async () => {
    const agent = await create(httpTool(both))
    const url = 'https://other.example.com/'
    await replaceTools(agent, httpTool({ 'X-Tenant': 'tenant-12345' }, {}, { url }))
    expect(await headersOf(agent)).toEqual({ find_booking: { 'X-Tenant': 'tenant-12345' } })
  })

  test('keeps them if only other fields or its position change [AGT-4]', async () => {
    const agent = await create(httpTool(both), mcpTool({ a: '1' }))
    const stored = await headersOf(agent)
    const changed = httpTool(
      undefined,
      { title: 'New', timeoutSeconds: 5 },
      { method: 'POST', body: { a: 1 } },
    )
    await replaceTools(agent, mcpTool(), changed)
    expect(await headersOf(agent)).toEqual(stored)
  })

  test('does not pass them on to a tool that takes its name [AGT-4]', async () => {
    const url = 'https://other.example.com/'
    const agent = await create(httpTool(both), httpTool({ b: '2' }, { name: 'other' }, { url }))
    const swapped = [httpTool(undefined, { name: 'other' }), httpTool(undefined, {}, { url })]
    expect(namesIn(await replaceTools(agent, ...swapped))).toEqual([[], []])
  })

  function withoutHeaders(tool: object): object {
    return JSON.parse(JSON.stringify(tool, (key, value) => (key === 'headers' ? undefined : value)))
  }
})

describe('stored header values', () => {
  test('header values are encrypted with a new nonce each time [ACC-5]', async () => {
    const agent = await create(httpTool(both))
    const first = (await recordOf(agent)).toolSecrets
    expect(JSON.stringify(await recordOf(agent))).not.toContain(bearer)
    await replaceTools(agent, httpTool(both))
    expect((await recordOf(agent)).toolSecrets).toEqual(first)
    await replaceTools(agent, httpTool({ ...both, Authorization: 'Bearer other' }))
    await replaceTools(agent, httpTool(both))
    const second = (await recordOf(agent)).toolSecrets
    expect(second.find_booking?.Authorization).not.toBe(first.find_booking?.Authorization)
    expect(await headersOf(agent)).toEqual({ find_booking: both })
  })

  test('header values cannot be decrypted in another place or with another secret [ACC-5]', async () => {
    const [one, other] = [await recordOf(await create(httpTool(both))), await recordOf(await create())]
    const sealed = one.toolSecrets.find_booking?.Authorization ?? ''
    const context = toolSecretContext(one, 'find_booking', 'Authorization')
    expect(cipher.open(sealed, context)).toBe(bearer)
    expect(cipher.open(sealed, toolSecretContext(one, 'find_booking', 'authorization'))).toBe(bearer)
    const elsewhere = [
      toolSecretContext(other, 'find_booking', 'Authorization'),
      toolSecretContext({ ...one, organizationId: other.id }, 'find_booking', 'Authorization'),
      toolSecretContext(one, 'other_tool', 'Authorization'),
      toolSecretContext(one, 'find_booking', 'X-Tenant'),
    ]
    for (const place of elsewhere) expect(() => cipher.open(sealed, place)).toThrow()
    expect(() => makeCipher(`${secret}!`).open(sealed, context)).toThrow()
    const spoiled = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`
    expect(() => cipher.open(spoiled, context)).toThrow()
  })
})
