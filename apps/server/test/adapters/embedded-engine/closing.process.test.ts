import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { makeEmbeddedEngine } from '#server/adapters/embedded-engine/embedded-engine.js'
import { makeLog } from '#server/adapters/system/log.js'

const models = { step: () => Promise.reject(new Error('No other engine is called.')) }

/** Returns whether a server listens at this address. */
function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

test('an engine that is closed while it starts ends and rejects the waiting callers [WAIT-1]', async () => {
  const engine = makeEmbeddedEngine(
    makeLog('error', false, { destination: { write: () => undefined } }),
    models,
  )
  const started = engine.start(null)
  const step = engine.runDemoStep({
    organizationId: 'one',
    messages: [{ role: 'user', text: 'Hello.' }],
    tools: [],
    responseSchema: null,
  })
  const outcomes = Promise.allSettled([started, step])
  await engine.close()
  // `close` gives up on a thread that does not end, and then the engine would still run.
  expect(engine.isRunning()).toBe(false)
  const [start, stepped] = await outcomes
  // It may have listened for a moment and must not listen any more.
  if (start.status === 'fulfilled') expect(await isListening(start.value.url)).toBe(false)
  expect(stepped).toMatchObject({ status: 'rejected', reason: new Error('The engine ended.') })
})

test('an engine that was closed starts again for the next caller', async () => {
  const engine = makeEmbeddedEngine(
    makeLog('error', false, { destination: { write: () => undefined } }),
    models,
  )
  void engine.start(null).catch(() => undefined)
  await engine.close()
  const { url } = await engine.start(null)
  expect(await isListening(url)).toBe(true)
  await engine.close()
})
