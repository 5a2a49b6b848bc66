import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { McpServerTarget, McpToolExecutor } from '#server/ports/tool-executor.js'
import { invocationOf } from '../../support/tools/invocations.js'
import type { HttpMode } from '../../support/tools/mcp-server.mjs'
import {
  eventually,
  local,
  type McpFixture,
  type Trace,
  targetAt,
  useMcp,
} from '../../support/tools/mcp-servers.js'

interface Started {
  readonly executor: McpToolExecutor
  readonly target: McpServerTarget
  readonly trace: Trace
}

async function startWithStdio({ trace: makeTrace, executor, stdioServer }: McpFixture): Promise<Started> {
  const trace = await makeTrace()
  return { executor: executor({ stdioServers: stdioServer(trace) }), target: local, trace }
}

function startWithHttp(mode: HttpMode): (fixture: McpFixture) => Promise<Started> {
  return async ({ trace: makeTrace, executor, startHttpServer }) => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace, { mode })
    return { executor: executor(), target, trace }
  }
}

/** The same server behind every transport. */
const ways: Readonly<Record<string, (fixture: McpFixture) => Promise<Started>>> = {
  stdio: startWithStdio,
  'HTTP with streams': startWithHttp('stream'),
  'HTTP with JSON': startWithHttp('json'),
  'HTTP with streams that can be resumed': startWithHttp('resumable'),
}

describe.each(Object.entries(ways))('an MCP server over %s', (_way, start) => {
  const fixture = useMcp(afterAll)
  let started: Started

  beforeAll(async () => {
    started = await start(fixture)
  })

  test('lists its tools page by page', async () => {
    const { executor, target, trace } = started
    const listing = await executor.list(target, new AbortController().signal)
    if (!listing.ok) throw new Error(listing.detail)
    expect(listing.tools).toHaveLength(15)
    expect(listing.tools.slice(0, 2)).toEqual([
      {
        name: 'echo',
        description: 'Says it again.',
        parameters: { type: 'object', properties: { value: { type: 'string' } } },
      },
      expect.objectContaining({ name: 'process_id', description: '' }),
    ])
    expect((await trace.lines()).filter((line) => line.startsWith('list'))).toEqual([
      'list 0',
      'list 4',
      'list 8',
      'list 12',
    ])
  })

  test('receives a call with its arguments and its idempotency key', async () => {
    const { executor, target, trace } = started
    const outcome = await executor.run(target, 'echo', invocationOf({ value: 'hello' }))
    expect(outcome).toEqual({ ok: true, output: 'hello' })
    expect(await trace.count('call echo key-of-the-call')).toBe(1)
  })

  test('receives the ID of the end user in _meta [USR-9]', async () => {
    const { executor, target, trace } = started
    await executor.run(target, 'echo', invocationOf({ value: 'hello' }, { endUserId: 'end-user-1' }))
    expect(await trace.count('call echo key-of-the-call end-user-1')).toBe(1)
  })

  test.each([
    ['fail', { ok: false, output: 'It did not work.' }],
    ['refuse', { ok: false, output: expect.stringContaining('This tool is not for you.') }],
    ['structured', { ok: true, output: '{"total":3}' }],
    ['empty', { ok: true, output: 'The tool answered with no content.' }],
    [
      'big',
      {
        ok: true,
        output: expect.stringMatching(/^x+\n\[Truncated: the answer has 100000 characters\.\]$/),
      },
    ],
    [
      'parts',
      {
        ok: true,
        output: [
          'See:',
          '[image: image/png, 3 bytes, omitted]',
          '[audio: audio/wav, 2 bytes, omitted]',
          '[resource: a, file:///a, text/csv]',
          '[resource: file:///b, text/plain]',
          'inside',
          '[resource: file:///c, 1 bytes, omitted]',
        ].join('\n'),
      },
    ],
  ])('returns the result of the tool %s', async (name, expected) => {
    const { executor, target } = started
    expect(await executor.run(target, name, invocationOf())).toEqual(expected)
  })

  test('shares one connection among concurrent calls that do not wait for each other', async () => {
    const { executor, target, trace } = started
    const controller = new AbortController()
    const hanging = executor.run(target, 'hang', invocationOf({}, { signal: controller.signal }))
    const values = Array.from({ length: 20 }, (_, index) => `value ${index}`)
    const outcomes = await Promise.all(
      values.map((value) => executor.run(target, 'echo', invocationOf({ value }))),
    )
    expect(outcomes.map(({ output }) => output)).toEqual(values)
    const ids = await Promise.all([1, 2].map(() => executor.run(target, 'process_id', invocationOf())))
    expect(new Set(ids.map(({ output }) => output)).size).toBe(1)
    expect((await trace.lines()).filter((line) => line.startsWith('session')).length).toBeLessThanOrEqual(1)
    controller.abort()
    expect(await hanging).toEqual({ ok: false, output: 'The call was cancelled.' })
  })

  test('receives a cancellation if a call times out, and keeps its connection', async () => {
    const { executor, target, trace } = started
    await executor.run(target, 'echo', invocationOf({ value: 'warm' }))
    expect(
      await executor.run(
        target,
        'hang',
        invocationOf({}, { timeoutMilliseconds: 300, idempotencyKey: 'late' }),
      ),
    ).toEqual({
      ok: false,
      output: 'The tool did not respond within 0.3 seconds.',
      isUnknown: true,
    })
    await expect.poll(() => trace.count('cancelled hang late'), eventually).toBe(1)
    expect(await executor.run(target, 'echo', invocationOf({ value: 'on' }))).toMatchObject({ output: 'on' })
  })

  test('fails a call whose response exceeds the limit, and later calls work', async () => {
    const { executor, target, trace } = started
    const outcome = await executor.run(target, 'huge', invocationOf())
    expect(outcome).toMatchObject({ ok: false, isUnknown: true })
    expect(await trace.count('call huge key-of-the-call')).toBe(1)
    expect(await executor.run(target, 'echo', invocationOf({ value: 'on' }))).toMatchObject({ output: 'on' })
  })
})

const { trace: makeTrace, startHttpServer, stdioServer, executor: makeExecutor, logged } = useMcp()

describe('rejected MCP servers [TOOL-8]', () => {
  test.each(['remote', 'constructor', '__proto__'])(
    'the executor rejects a server name that is not configured: %s',
    async (name) => {
      const executor = makeExecutor({ stdioServers: stdioServer(await makeTrace()) })
      const target = { organizationId: 'one', url: null, name, headers: {} }
      const detail = `The operator has not configured an MCP server named ${name}.`
      expect(await executor.run(target, 'echo', invocationOf())).toEqual({ ok: false, output: detail })
      expect(await executor.list(target, new AbortController().signal)).toEqual({
        ok: false,
        detail,
      })
    },
  )

  test('the executor rejects a private address', async () => {
    const trace = await makeTrace()
    const { port } = await startHttpServer(trace)
    const executor = makeExecutor()
    for (const host of ['localhost', '[::ffff:127.0.0.1]', '10.0.0.1']) {
      const outcome = await executor.run(targetAt(`http://${host}:${port}/mcp`), 'echo', invocationOf())
      expect(outcome).toMatchObject({
        ok: false,
        output: expect.stringContaining('PARLEY_ALLOWED_PRIVATE_HOSTS'),
      })
    }
    expect(await trace.lines()).toEqual([])
  })

  test('the executor rejects a program that does not exist or ends immediately', async () => {
    const missing = { command: '/nowhere/at-all', args: [], env: {} }
    const ending = { command: process.execPath, args: ['-e', ''], env: {} }
    const executor = makeExecutor({ stdioServers: { missing, ending } })
    const run = (name: string) =>
      executor.run({ organizationId: 'one', url: null, name, headers: {} }, 'echo', invocationOf())
    expect(await run('missing')).toMatchObject({
      ok: false,
      output: expect.stringContaining('ENOENT'),
    })
    expect(await run('ending')).toMatchObject({
      ok: false,
      output: expect.stringContaining('Cannot connect to the MCP server.'),
    })
  })

  test('the executor rejects an address without an MCP server', async () => {
    const { port } = await startHttpServer(await makeTrace())
    const outcome = await makeExecutor().run(
      targetAt(`http://127.0.0.1:${port}/elsewhere`),
      'echo',
      invocationOf(),
    )
    expect(outcome).toMatchObject({
      ok: false,
      output: expect.stringContaining('Cannot connect to the MCP server.'),
    })
  })
})

describe('secrets of MCP servers [TOOL-6]', () => {
  test('the executor sends headers with every request and conceals them in the output', async () => {
    const { target } = await startHttpServer(await makeTrace())
    const headers = { Authorization: 'Bearer header-secret-1' }
    const outcome = await makeExecutor().run({ ...target, headers }, 'headers', invocationOf())
    expect(JSON.parse(outcome.output)).toMatchObject({ authorization: '[secret]' })
  })

  test('the executor opens another connection for other headers', async () => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace)
    const executor = makeExecutor()
    for (const key of ['one-secret', 'two-secret', 'one-secret']) {
      await executor.run({ ...target, headers: { 'X-Key': key } }, 'echo', invocationOf({ value: 'x' }))
    }
    expect((await trace.lines()).filter((line) => line.startsWith('session'))).toHaveLength(2)
  })

  test("a process gets PATH, HOME and the operator's variables, and its output is logged without secrets", async () => {
    const env = { API_KEY: 'operator-secret-1', ROOT: '/data/files' }
    const executor = makeExecutor({ stdioServers: stdioServer(await makeTrace(), env) })
    const { output } = await executor.run(local, 'environment', invocationOf())
    const given = JSON.parse(output)
    expect(Object.keys(given).sort()).toEqual(['API_KEY', 'HOME', 'PATH', 'ROOT'])
    expect(given).toMatchObject({ API_KEY: '[secret]', ROOT: '/data/files' })
    await expect
      .poll(() => logged, eventually)
      .toContainEqual({
        level: 'debug',
        fields: { mcpServer: 'local', line: 'started with the key [secret]' },
      })
  })
})
