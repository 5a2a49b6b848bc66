import { expect, test } from 'vitest'
import { withEmbeddedChat } from '#server/adapters/embedded-engine/embedded-chat.js'
import type { ChatStepRequest } from '#server/ports/chat-model.js'
import type { DemoStep } from '#server/ports/embedded-engine.js'
import { makeTestTimers } from '../../support/test-timers.js'

const request: ChatStepRequest = {
  target: {
    organizationId: '018f0000-0000-7000-8000-000000000001',
    connectionId: '018f0000-0000-7000-8000-000000000002',
    kind: 'embedded',
    baseUrl: null,
    apiKey: null,
    model: 'parley-engine',
    isFromEnvironment: false,
  },
  messages: [{ role: 'user', text: 'Hello.' }],
  tools: [],
  timeoutMilliseconds: 60_000,
  signal: new AbortController().signal,
}

const elsewhere = { step: () => Promise.reject(new Error('No other engine is called.')) }

test('a step fails when its time is up if the engine does not respond [WAIT-1]', async () => {
  const timers = makeTestTimers()
  const engine = { runDemoStep: () => new Promise<DemoStep>(() => undefined) }
  const step = withEmbeddedChat({ engine, elsewhere, timers }).step(request)
  timers.advance(60_000)
  expect(await step).toMatchObject({
    ok: false,
    detail: expect.stringContaining('60 seconds'),
  })
})

test('a step leaves no timer behind if the engine responds [WAIT-1]', async () => {
  const timers = makeTestTimers()
  const engine = { runDemoStep: () => Promise.resolve({ text: 'Good day.', calls: [] }) }
  const step = await withEmbeddedChat({ engine, elsewhere, timers }).step(request)
  expect(step).toMatchObject({ ok: true, text: 'Good day.' })
  expect(timers.waiting).toBe(0)
})
