import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { McpServerTarget, McpToolExecutor } from '#server/ports/tool-executor.js'
import { isAlive } from '../../support/process/worker-processes.js'
import { invocationOf } from '../../support/tools/invocations.js'
import type { HttpMode } from '../../support/tools/mcp-server.mjs'
import { eventually, isGone, local, type Trace, targetAt, useMcp } from '../../support/tools/mcp-servers.js'

const { trace: makeTrace, startHttpServer, stdioServer, executor: makeExecutor } = useMcp()

const unknown = { ok: false, output: expect.any(String), isUnknown: true }

async function processIdOf(executor: McpToolExecutor, target: McpServerTarget): Promise<number> {
  const outcome = await executor.run(target, 'process_id', invocationOf())
  expect(outcome).toMatchObject({ ok: true })
  return Number(outcome.output)
}

const say = (executor: McpToolExecutor, target: McpServerTarget, value: string) =>
  executor.run(target, 'echo', invocationOf({ value }))

describe('an MCP server that is a process', () => {
  const shared = useMcp(afterAll)
  let trace: Trace
  let executor: McpToolExecutor

  beforeAll(async () => {
    trace = await shared.trace()
    executor = shared.executor({ stdioServers: shared.stdioServer(trace) })
  })

  test('belongs to one organization only [TOOL-8]', async () => {
    const own = await processIdOf(executor, local)
    expect(await processIdOf(executor, local)).toBe(own)
    expect(await processIdOf(executor, { ...local, organizationId: 'another' })).not.toBe(own)
  })

  test('is started again if it was killed between calls', async () => {
    const first = await processIdOf(executor, local)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => isGone(first), eventually).toBe(true)
    expect(await say(executor, local, 'again')).toEqual({ ok: true, output: 'again' })
    expect(await processIdOf(executor, local)).not.toBe(first)
    expect(await trace.count('call echo key-of-the-call')).toBe(1)
  })

  test.each(['killed', 'exits on its own'])(
    'leaves the outcome of a call unknown if it ends during the call: %s',
    async (how) => {
      const id = await processIdOf(executor, local)
      const name = how === 'killed' ? 'hang' : 'end'
      const calling = executor.run(local, name, invocationOf())
      await expect.poll(() => trace.count(`call ${name} key-of-the-call`), eventually).toBe(1)
      if (how === 'killed') process.kill(id, 'SIGKILL')
      expect(await calling).toEqual(unknown)
      expect(await say(executor, local, 'again')).toMatchObject({ output: 'again' })
      expect(await trace.count(`call ${name} key-of-the-call`)).toBe(1)
    },
  )

  test('ends together with its child processes when the executor closes', async () => {
    const id = await processIdOf(executor, local)
    const launched = Number((await executor.run(local, 'launch', invocationOf())).output)
    expect(await isAlive(launched)).toBe(true)
    await executor.close()
    expect(isGone(id)).toBe(true)
    await expect.poll(() => isAlive(launched), eventually).toBe(false)
    expect(await say(executor, local, 'late')).toMatchObject({
      ok: false,
      output: expect.stringContaining('shutting down'),
    })
  })

  test('is killed if it does not end on request', async () => {
    const stubborn = makeExecutor({ stdioServers: stdioServer(await makeTrace(), { STUBBORN: 'yes' }) })
    const id = await processIdOf(stubborn, local)
    await stubborn.close()
    expect(isGone(id)).toBe(true)
  })

  test('ends even if it is still starting', async () => {
    const mute = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} }
    const executor = makeExecutor({ stdioServers: { mute } })
    const target = { organizationId: 'one', url: null, name: 'mute', headers: {} }
    const calling = executor.run(target, 'echo', invocationOf())
    await executor.close()
    expect(await calling).toMatchObject({ ok: false })
  })

  test('costs a call no more than its time limit if it never responds', async () => {
    const mute = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} }
    const executor = makeExecutor({ stdioServers: { mute } })
    const target = { organizationId: 'one', url: null, name: 'mute', headers: {} }
    expect(await executor.run(target, 'echo', invocationOf({}, { timeoutMilliseconds: 200 }))).toEqual({
      ok: false,
      output: 'The tool did not respond within 0.2 seconds.',
    })
    expect(await executor.list(target, AbortSignal.timeout(200))).toMatchObject({ ok: false })
  })
})

describe('an MCP server over HTTP', () => {
  test('can be called after it was killed and restarted between calls', async () => {
    const trace = await makeTrace()
    const first = await startHttpServer(trace)
    const executor = makeExecutor()
    const id = await processIdOf(executor, first.target)
    await first.kill()
    await startHttpServer(trace, { port: first.port })
    expect(await processIdOf(executor, first.target)).not.toBe(id)
    expect(await trace.count('call process_id key-of-the-call')).toBe(2)
  })

  test('can be called again after it was unavailable between calls', async () => {
    const trace = await makeTrace()
    const first = await startHttpServer(trace)
    const executor = makeExecutor()
    await say(executor, first.target, 'first')
    await first.kill()
    expect(await say(executor, first.target, 'second')).toEqual({
      ok: false,
      output: expect.stringMatching(/Cannot connect to the MCP server.*Nothing listens at/),
    })
    expect(await executor.list(first.target, new AbortController().signal)).toMatchObject({
      ok: false,
    })
    await startHttpServer(trace, { port: first.port })
    expect(await say(executor, first.target, 'third')).toEqual({ ok: true, output: 'third' })
  })

  const modes: readonly HttpMode[] = ['stream', 'json', 'resumable']
  test.each(modes)(
    'leaves the outcome of a call unknown if it is killed, and is not asked again (%s)',
    async (mode) => {
      const trace = await makeTrace()
      const first = await startHttpServer(trace, { mode })
      const executor = makeExecutor()
      await say(executor, first.target, 'first')
      const calling = executor.run(first.target, 'hang', invocationOf())
      await expect.poll(() => trace.count('call hang key-of-the-call'), eventually).toBe(1)
      await first.kill()
      await startHttpServer(trace, { mode, port: first.port })
      expect(await calling).toEqual(unknown)
      expect(await say(executor, first.target, 'again')).toEqual({ ok: true, output: 'again' })
      expect(await trace.count('call hang key-of-the-call')).toBe(1)
    },
  )

  test.each(modes)('keeps running if a call stops waiting for it (%s)', async (mode) => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace, { mode })
    const executor = makeExecutor()
    await executor.run(target, 'hang', invocationOf({}, { timeoutMilliseconds: 2000 }))
    await expect.poll(() => trace.count('cancelled hang key-of-the-call'), eventually).toBe(1)
    await expect.poll(() => trace.count('aborted'), eventually).toBe(1)
    expect(await say(executor, target, 'on')).toEqual({ ok: true, output: 'on' })
    expect(await trace.count('GET resumed')).toBe(0)
  })

  test('gets a new session for concurrent calls and lists if it has forgotten the old one', async () => {
    const trace = await makeTrace()
    const server = await startHttpServer(trace)
    const executor = makeExecutor()
    await say(executor, server.target, 'first')
    server.forgetSessions()
    const values = ['a', 'b', 'c', 'd']
    const outcomes = await Promise.all(values.map((value) => say(executor, server.target, value)))
    expect(outcomes.map(({ output }) => output)).toEqual(values)
    expect((await trace.lines()).filter((line) => line.startsWith('session ')).length).toBeLessThanOrEqual(3)
    server.forgetSessions()
    expect(await executor.list(server.target, new AbortController().signal)).toMatchObject({
      ok: true,
    })
  })
})

describe('a response that arrives on a later stream', () => {
  test('arrives without a second call', async () => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace, { mode: 'resumable' })
    const outcome = await makeExecutor().run(target, 'later', invocationOf())
    expect(outcome).toEqual({ ok: true, output: 'later' })
    expect(await trace.count('GET resumed')).toBeGreaterThan(0)
    expect(await trace.count('call later key-of-the-call')).toBe(1)
  })
})

describe('connections to MCP servers', () => {
  test('are closed with their sessions after a time without use', async () => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace)
    const executor = makeExecutor({ stdioServers: stdioServer(trace), idleMilliseconds: 50 })
    const id = await processIdOf(executor, local)
    await say(executor, target, 'hello')
    await expect.poll(() => isGone(id), eventually).toBe(true)
    await expect.poll(() => trace.count('session closed'), eventually).toBe(1)
    expect(await say(executor, target, 'hello')).toMatchObject({ output: 'hello' })
  })

  test('are limited, and the least recently used idle connection is closed first', async () => {
    const trace = await makeTrace()
    const { port } = await startHttpServer(trace)
    const executor = makeExecutor({ maxConnections: 2 })
    const target = (name: string) => targetAt(`http://127.0.0.1:${port}/mcp?${name}`)
    for (const name of ['a', 'b', 'a', 'c']) await say(executor, target(name), name)
    await expect.poll(() => trace.count('session closed'), eventually).toBe(1)
    await say(executor, target('a'), 'a')
    expect((await trace.lines()).filter((line) => /^session \S+-/.test(line))).toHaveLength(3)

    const controller = new AbortController()
    const hanging = ['a', 'c'].map((name) =>
      executor.run(target(name), 'hang', invocationOf({}, { signal: controller.signal })),
    )
    await expect.poll(() => trace.count('call hang key-of-the-call'), eventually).toBe(2)
    expect(await say(executor, target('b'), 'b')).toMatchObject({
      ok: false,
      output: expect.stringContaining('Too many MCP servers'),
    })
    controller.abort()
    await Promise.all(hanging)
    expect(await say(executor, target('b'), 'b')).toMatchObject({ output: 'b' })
  })
})
