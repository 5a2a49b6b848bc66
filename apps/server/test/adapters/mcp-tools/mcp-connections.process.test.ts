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

describe('a process', () => {
  const shared = useMcp(afterAll)
  let trace: Trace
  let executor: McpToolExecutor

  beforeAll(async () => {
    trace = await shared.trace()
    executor = shared.executor({ stdioServers: shared.stdioServer(trace) })
  })

  test('belongs to one organization alone [TOOL-8]', async () => {
    const own = await processIdOf(executor, local)
    expect(await processIdOf(executor, local)).toBe(own)
    expect(await processIdOf(executor, { ...local, organizationId: 'another' })).not.toBe(own)
  })

  test('that was killed between calls is started again', async () => {
    const first = await processIdOf(executor, local)
    process.kill(first, 'SIGKILL')
    await expect.poll(() => isGone(first), eventually).toBe(true)
    expect(await say(executor, local, 'again')).toEqual({ ok: true, output: 'again' })
    expect(await processIdOf(executor, local)).not.toBe(first)
    expect(await trace.count('call echo key-of-the-call')).toBe(1)
  })

  test.each(['killed', 'ending by itself'])('%s during a call leaves its outcome unknown', async (how) => {
    const id = await processIdOf(executor, local)
    const name = how === 'killed' ? 'hang' : 'end'
    const calling = executor.run(local, name, invocationOf())
    await expect.poll(() => trace.count(`call ${name} key-of-the-call`), eventually).toBe(1)
    if (how === 'killed') process.kill(id, 'SIGKILL')
    expect(await calling).toEqual(unknown)
    expect(await say(executor, local, 'again')).toMatchObject({ output: 'again' })
    expect(await trace.count(`call ${name} key-of-the-call`)).toBe(1)
  })

  test('is gone when the executor is closed, with what it has started', async () => {
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

  test('that does not end when asked is made to', async () => {
    const stubborn = makeExecutor({ stdioServers: stdioServer(await makeTrace(), { STUBBORN: 'yes' }) })
    const id = await processIdOf(stubborn, local)
    await stubborn.close()
    expect(isGone(id)).toBe(true)
  })

  test('that is still starting is gone too', async () => {
    const mute = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} }
    const executor = makeExecutor({ stdioServers: { mute } })
    const target = { organizationId: 'one', url: null, name: 'mute', headers: {} }
    const calling = executor.run(target, 'echo', invocationOf())
    await executor.close()
    expect(await calling).toMatchObject({ ok: false })
  })

  test('that says nothing costs a call no more than its time', async () => {
    const mute = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: {} }
    const executor = makeExecutor({ stdioServers: { mute } })
    const target = { organizationId: 'one', url: null, name: 'mute', headers: {} }
    expect(await executor.run(target, 'echo', invocationOf({}, { timeoutMilliseconds: 200 }))).toEqual({
      ok: false,
      output: 'The tool did not answer within 0.2 seconds.',
    })
    expect(await executor.list(target, AbortSignal.timeout(200))).toMatchObject({ ok: false })
  })
})

describe('an HTTP server', () => {
  test('that was killed and started again between calls', async () => {
    const trace = await makeTrace()
    const first = await startHttpServer(trace)
    const executor = makeExecutor()
    const id = await processIdOf(executor, first.target)
    await first.kill()
    await startHttpServer(trace, { port: first.port })
    expect(await processIdOf(executor, first.target)).not.toBe(id)
    expect(await trace.count('call process_id key-of-the-call')).toBe(2)
  })

  test('that is gone between calls, and comes back later', async () => {
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
    'that is killed during a call leaves its outcome unknown, and is not asked again (%s)',
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

  test.each(modes)('that a call does not wait for any more is left alone (%s)', async (mode) => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace, { mode })
    const executor = makeExecutor()
    await executor.run(target, 'hang', invocationOf({}, { timeoutMilliseconds: 2000 }))
    await expect.poll(() => trace.count('cancelled hang key-of-the-call'), eventually).toBe(1)
    await expect.poll(() => trace.count('left alone'), eventually).toBe(1)
    expect(await say(executor, target, 'on')).toEqual({ ok: true, output: 'on' })
    expect(await trace.count('GET resumed')).toBe(0)
  })

  test('that has forgotten the session gets a new one, for calls at the same time and for lists', async () => {
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

describe('an answer that comes on a later stream', () => {
  test('is waited for, without a second call', async () => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace, { mode: 'resumable' })
    const outcome = await makeExecutor().run(target, 'later', invocationOf())
    expect(outcome).toEqual({ ok: true, output: 'later' })
    expect(await trace.count('GET resumed')).toBeGreaterThan(0)
    expect(await trace.count('call later key-of-the-call')).toBe(1)
  })
})

describe('connections', () => {
  test('that nobody uses are closed after a while, and their sessions with them', async () => {
    const trace = await makeTrace()
    const { target } = await startHttpServer(trace)
    const executor = makeExecutor({ stdioServers: stdioServer(trace), idleMilliseconds: 50 })
    const id = await processIdOf(executor, local)
    await say(executor, target, 'hello')
    await expect.poll(() => isGone(id), eventually).toBe(true)
    await expect.poll(() => trace.count('session closed'), eventually).toBe(1)
    expect(await say(executor, target, 'hello')).toMatchObject({ output: 'hello' })
  })

  test('are limited: the one that was used longest ago makes room, one in use does not', async () => {
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
