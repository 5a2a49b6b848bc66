import { readFileSync } from 'node:fs'
import type { Agent, Problem } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningService, startService } from '../../support/start-service.js'

let running: RunningService

beforeAll(async () => {
  running = await startService({
    env: {
      PARLEY_MCP_SERVERS: JSON.stringify({ files: { command: 'files-server' } }),
      PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1:9001,10.1.2.3,[fd00::1]:8443',
    },
  })
})

afterAll(() => running.close())

const path = '/api/v1/Agent'

const call = (tools: unknown) =>
  running.client.call<Agent & Problem>('POST', path, { body: { name: 'Agent', tools } })

async function accepted(...tools: object[]): Promise<Agent['tools']> {
  const { status, body, text } = await call(tools)
  expect(status, text).toBe(201)
  return body.tools
}

async function mistakesIn(...tools: unknown[]): Promise<Problem['errors']> {
  const { status, body, text } = await call(tools)
  expect(status, text).toBe(400)
  return body.errors
}

function httpTool(fields: object = {}, request: object = {}) {
  const parameters = { type: 'object', properties: { id: { type: 'string' }, 'the-day': {} } }
  const defaults = { kind: 'http', name: 'find_booking', description: 'Finds a booking.', parameters }
  return {
    ...defaults,
    request: { method: 'GET', url: 'https://booking.example.com/', ...request },
    ...fields,
  }
}

function mcpTool(fields: object = {}, server: object = { url: 'https://crm.example.com/mcp' }) {
  return { kind: 'mcp', name: 'crm', server, ...fields }
}

const builtinTool = (fields: object = {}) => ({
  kind: 'builtin',
  name: 'clock',
  builtin: 'current_time',
  ...fields,
})

test('the tools that docs/reference/tools.md shows are accepted unchanged [DOC-8]', async () => {
  const text = readFileSync(new URL('../../../../../docs/reference/tools.md', import.meta.url), 'utf8')
  const shown = [...text.matchAll(/^```json\n(\{ "kind"[\s\S]*?)^```$/gm)].map(([, json = '']) =>
    JSON.parse(json),
  )
  const given = [...text.matchAll(/ -d '(\{ "tools"[\s\S]*?)'$/gm)].flatMap(
    ([, json = '']) => JSON.parse(json).tools,
  )
  const kinds = (await accepted(...shown, ...given)).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['http', 'mcp', 'builtin']))
})

const sharedDefaults = {
  title: null,
  imageUrl: null,
  approvalRequired: false,
  approvedBy: 'either',
  timeoutSeconds: 30,
  button: null,
}

const sharedFields = {
  title: 'Find a booking',
  imageUrl: 'https://example.com/booking.png',
  approvalRequired: true,
  approvedBy: 'staff',
  timeoutSeconds: 600,
  button: { label: 'Open', link: 'https://example.com/open' },
}

describe('the fields of a tool', () => {
  test('fields have defaults and are stored for kind http', async () => {
    const { parameters: _, ...bare } = httpTool()
    expect(await accepted(bare)).toEqual([
      {
        ...bare,
        ...sharedDefaults,
        parameters: { type: 'object', properties: {} },
        request: { ...bare.request, query: {}, body: null, headerNames: [] },
      },
    ])
    const request = {
      method: 'PATCH',
      query: { day: '{the-day}' },
      body: { deep: [{ note: '{id}' }, 1, null] },
    }
    const full = httpTool(sharedFields, request)
    expect(await accepted(full)).toEqual([{ ...full, request: { ...full.request, headerNames: [] } }])
  })

  test('fields have defaults and are stored for kind mcp', async () => {
    const server = { url: 'https://crm.example.com/mcp', name: null, headerNames: [] }
    expect(await accepted(mcpTool())).toEqual([
      {
        ...{ ...mcpTool(), ...sharedDefaults, description: null, allowedTools: null, server },
        destructiveApprovalRequired: false,
      },
    ])
    const full = mcpTool({
      ...{ ...sharedFields, description: 'For sales.', allowedTools: ['find', 'add'] },
      destructiveApprovalRequired: true,
    })
    expect(await accepted(full)).toEqual([{ ...full, server }])
  })

  test.each(['current_time', 'create_task', 'search_files'])(
    'fields have defaults and are stored for kind builtin: %s',
    async (builtin) => {
      const bare = builtinTool({ builtin })
      expect(await accepted(bare)).toEqual([{ ...bare, ...sharedDefaults, description: null }])
      const full = builtinTool({ builtin, ...sharedFields, description: 'Tells the time.' })
      expect(await accepted(full)).toEqual([full])
    },
  )

  test.each<[string, object]>([
    ['tools[0].kind', { ...builtinTool(), kind: 'shell' }],
    ['tools[0].kind', { name: 'kindless', builtin: 'current_time' }],
    ['tools[0].builtin', builtinTool({ builtin: 'format_disk' })],
    ['tools[0].request', builtinTool({ request: {} })],
    ['tools[0].description', httpTool({ description: ' ' })],
    ['tools[0].title', httpTool({ title: '' })],
    ['tools[0].imageUrl', httpTool({ imageUrl: 'ftp://example.com/x.png' })],
    ['tools[0].timeoutSeconds', httpTool({ timeoutSeconds: 0 })],
    ['tools[0].timeoutSeconds', httpTool({ timeoutSeconds: 601 })],
    ['tools[0].timeoutSeconds', httpTool({ timeoutSeconds: 1.5 })],
    ['tools[0].button.link', httpTool({ button: { label: 'Go', link: 'javascript:alert(1)' } })],
    ['tools[0].parameters.type', httpTool({ parameters: { type: 'string' } })],
    ['tools[0].request', httpTool({ request: null })],
    ['tools[0].request.method', httpTool({}, { method: 'TRACE' })],
    ['tools[0].request.body2', httpTool({}, { body2: 1 })],
    ['tools[0].request.query.a', httpTool({}, { query: { a: 1 } })],
    ['tools[0].request.headers.Host', httpTool({}, { headers: { Host: 'elsewhere.example.com' } })],
    ['tools[0].request.headers.idempotency-key', httpTool({}, { headers: { 'idempotency-key': 'x' } })],
    ['tools[0].request.headers.a b', httpTool({}, { headers: { 'a b': 'x' } })],
    ['tools[0].request.headers.a', httpTool({}, { headers: { a: 'x\r\nb: y' } })],
    ['tools[0].request.headers.a', httpTool({}, { headers: { a: 'x'.repeat(8193) } })],
    ['tools[0].server', mcpTool({}, {})],
    ['tools[0].server', mcpTool({}, { url: 'https://crm.example.com/', name: 'files' })],
    ['tools[0].server.url', mcpTool({}, { url: 'file:///etc/passwd' })],
    ['tools[0].server.command', mcpTool({}, { name: 'files', command: 'rm' })],
    ['tools[0].allowedTools[0]', mcpTool({ allowedTools: [''] })],
  ])('invalid fields are rejected with the path of the error: %s (%#) [API-15]', async (mistake, tool) => {
    expect(await mistakesIn(tool)).toMatchObject([{ path: mistake }])
  })
})

describe('the name of a tool', () => {
  test.each(['a', 'A-1_z', '__proto__', 'constructor', 'x'.repeat(64)])('can be %j [AGT-1]', async (name) => {
    expect(await accepted(builtinTool({ name }))).toMatchObject([{ name }])
  })

  test.each(['', 'x'.repeat(65), 'a b', 'a.b', 'ä', 'a\n', null])('cannot be %j [AGT-1]', async (name) => {
    expect(await mistakesIn(builtinTool({ name }))).toMatchObject([{ path: 'tools[0].name' }])
  })

  test('is unique in the agent, whatever the kind [AGT-1]', async () => {
    const tools = [httpTool({ name: 'same' }), builtinTool({ name: 'same' }), mcpTool({ name: 'same' })]
    const errors = await mistakesIn(...tools)
    expect(errors?.map((error) => error.path)).toEqual(['tools[1].name', 'tools[2].name'])
    expect(await accepted(builtinTool({ name: 'same' }), builtinTool({ name: 'Same' }))).toHaveLength(2)
  })

  test.each<[string, object, string]>([
    ['an http tool', httpTool({ name: 'crm__find' }), 'tools[1].name'],
    ['a built-in tool', builtinTool({ name: 'crm__find' }), 'tools[1].name'],
    ['another server whose tools could have the same names', mcpTool({ name: 'crm__find' }), 'tools[1].name'],
    ['a server whose name ends with the separator', mcpTool({ name: 'crm_' }), 'tools[1].name'],
  ])("cannot start with the prefix of an MCP server's tools: %s [AGT-1]", async (_who, rival, mistake) => {
    expect(await mistakesIn(mcpTool(), rival)).toMatchObject([
      { path: mistake, message: expect.stringContaining('crm__') },
    ])
    expect(await accepted(mcpTool(), { ...rival, name: 'crm2_find' })).toHaveLength(2)
  })

  test("must be short enough for the combined names of an MCP server's tools [AGT-1]", async () => {
    const allowedTools = ['x'.repeat(59)]
    expect(await accepted(mcpTool({ allowedTools }))).toMatchObject([{ allowedTools }])
    expect(await mistakesIn(mcpTool({ name: 'crm2', allowedTools }))).toMatchObject([
      { path: 'tools[0].name', message: expect.stringContaining('64') },
    ])
  })

  test('is checked after a patch too, and an invalid patch changes nothing [AGT-1]', async () => {
    const agent = (await call([builtinTool()])).body
    const tools = [builtinTool(), builtinTool()]
    const patched = await running.client.call<Problem>('PATCH', `${path}/${agent.id}`, { body: { tools } })
    expect(patched.status).toBe(400)
    expect(patched.body.errors).toMatchObject([{ path: 'tools[1].name' }])
    expect((await running.client.call('GET', `${path}/${agent.id}`)).body).toEqual(agent)
  })
})

describe('the url of an http tool', () => {
  test.each([
    'https://example.com',
    'http://example.com:8080/a%20b/c?d=e',
    'https://example.com/bookings/{id}',
    'https://example.com/{id}.json?day={the-day}&again={id}',
    'https://example.com/a{id}b/{the-day}/',
    'https://example.com/?day=from-{the-day}-to-{the-day}',
  ])('can be %s [AGT-2]', async (url) => {
    expect(await accepted(httpTool({}, { url }))).toMatchObject([{ request: { url } }])
  })

  test.each([
    ['a placeholder as the host', 'https://{id}/'],
    ['a placeholder in the host', 'https://{id}.example.com/'],
    ['a placeholder at the end of the host', 'https://example.com{id}'],
    ['a placeholder as the host after whitespace', ' https://{id}/'],
    ['a placeholder as the host after a control character', '\u0001https://{id}/'],
    ['a placeholder as the host after a tab in the scheme', 'ht\ttps://{id}/'],
    ['a placeholder as the host after a tab in the slashes', 'https:/\t/{id}/'],
    ['a placeholder as the host after a line break', 'https:\n//{id}/'],
    ['a placeholder as the host after backslashes', 'https:\\\\{id}/'],
    ['a placeholder as the host without slashes', 'https:{id}/'],
    ['a placeholder in the port', 'https://example.com:{id}/'],
    ['a placeholder in the scheme', 'http{id}://example.com/'],
    ['a placeholder as the scheme', '{id}://example.com/'],
    ['a placeholder as the user name', 'https://{id}@example.com/'],
    ["a placeholder as a query parameter's name", 'https://example.com/?{id}=1'],
    ["a placeholder in a later query parameter's name", 'https://example.com/?a=1&b{id}=1'],
    ['a placeholder as a query parameter without a value', 'https://example.com/?{id}'],
    ['a placeholder in the fragment', 'https://example.com/#{id}'],
    ['a fragment', 'https://example.com/#part'],
    ['an undeclared placeholder', 'https://example.com/{other}'],
    ['a placeholder named like a property of every object', 'https://example.com/{constructor}'],
    ['an empty placeholder', 'https://example.com/{}'],
    ['an unclosed brace', 'https://example.com/{id'],
    ['a brace in a placeholder', 'https://example.com/{{id}}'],
    ['a placeholder with a space', 'https://example.com/{the day}'],
    ['a password', 'https://user:password@example.com/'],
    ['another scheme', 'ftp://example.com/'],
    ['no scheme', '//example.com/'],
    ['only a path', '/bookings/{id}'],
    ['nothing', ''],
    ['more than 2048 characters', `https://example.com/${'x'.repeat(2048)}`],
  ])('cannot contain %s [AGT-2]', async (_what, url) => {
    const errors = await mistakesIn(httpTool({}, { url }))
    expect(new Set(errors?.map((error) => error.path))).toEqual(new Set(['tools[0].request.url']))
  })
})

describe('an MCP server by name', () => {
  test("is accepted if it is in the operator's list [AGT-5]", async () => {
    const server = { name: 'files', url: null, headerNames: [] }
    expect(await accepted(mcpTool({}, { name: 'files' }))).toMatchObject([{ server }])
  })

  test.each(['Files', 'other', '', 'constructor', '__proto__'])(
    "is rejected if it is not in the operator's list: %j [AGT-5]",
    async (name) => {
      expect(await mistakesIn(builtinTool(), mcpTool({}, { name }))).toMatchObject([
        { path: 'tools[1].server.name', message: expect.stringContaining('PARLEY_MCP_SERVERS') },
      ])
    },
  )
})

describe('an address that is not public', () => {
  const refused = [
    'http://127.0.0.1/',
    'http://127.0.0.1:9002/',
    'http://localhost:9001/',
    'http://tools.localhost/',
    'http://localhost./',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://１２７.0.0.1/',
  ]

  test.each(refused)('is rejected on save: %s [OUT-5]', async (url) => {
    const message = expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS')
    expect(await mistakesIn(builtinTool(), httpTool({}, { url }), mcpTool({}, { url }))).toEqual([
      { path: 'tools[1].request.url', message },
      { path: 'tools[2].server.url', message },
    ])
  })

  test('is rejected with placeholders in its path [OUT-5]', async () => {
    const errors = await mistakesIn(httpTool({}, { url: 'http://127.0.0.1/{id}?day={the-day}' }))
    expect(errors).toMatchObject([{ path: 'tools[0].request.url' }])
  })

  test('is rejected in a replacement and in a patch [OUT-5]', async () => {
    const agent = (await call([])).body
    const body = { name: 'Agent', tools: [httpTool({}, { url: 'http://127.0.0.1/' })] }
    for (const method of ['PUT', 'PATCH']) {
      const answer = await running.client.call<Problem>(method, `${path}/${agent.id}`, { body })
      expect(answer.status).toBe(400)
      expect(answer.body.errors).toMatchObject([{ path: 'tools[0].request.url' }])
    }
  })

  test.each([
    'http://127.0.0.1:9001/{id}',
    'http://2130706433:9001/',
    'https://10.1.2.3/',
    'http://10.1.2.3:1/',
    'https://[fd00:0::1]:8443/',
  ])('is accepted if the operator allows it: %s [OUT-4]', async (url) => {
    expect(await accepted(httpTool({}, { url }))).toMatchObject([{ request: { url } }])
    const server = { url: url.replace('{id}', '') }
    expect(await accepted(mcpTool({}, server))).toMatchObject([{ server }])
  })
})
