import type { Agent, RealtimeSessionTicket } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newPostgres,
  patiently,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { ask, follow } from '../../support/questions/ask.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { playCalls } from '../../support/realtime/tool-calls.js'
import { refundCall, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'

let model: ScriptedChatServer

beforeAll(async () => {
  model = await startScriptedChatServer()
})
afterEach(cleanUp)
afterAll(() => model.close())

/**
 * Starts a service with a turn that waits for approval, and a page that follows the turn and the
 * organization's changes.
 */
async function startWithPage() {
  const parley = await startParley({
    env: {
      ...(await newPostgres()),
      ...bootstrap,
      PARLEY_CHAT_URL: model.baseUrl,
      PARLEY_CHAT_MODEL: 'scripted',
      // Much longer than the test may take.
      PARLEY_DRAIN_SECONDS: '3600',
    },
  })
  const url = await parley.ready()
  const service = { url, client: makeApiClient(url, credentials), ...credentials }
  const body = { name: 'Clerk', tools: [refundTool({ url: 'https://tools.example.com' })] }
  const agent = await service.client.call<Agent>('POST', '/api/v1/Agent', { body })
  model.answer({ calls: [{ id: 'call_a', name: 'refund', arguments: { amount: 5 } }] })
  const { body: turn } = await ask(service, agent.body.id, { question: 'Money back!' })
  const page = await follow(service, turn)
  await page.waitFor('approval.waiting')
  const headers = { 'x-api-key': credentials.apiKey, 'x-org-id': credentials.organizationId }
  const changes = await fetch(`${url}/api/v1/Event`, { headers: { ...headers, accept: 'text/event-stream' } })
  return { parley, page, changes }
}

describe('a signal while a page waits for approval', slow, () => {
  test('ends the service immediately if it is SIGINT, and reports what is not waited for [ASK-17]', async () => {
    const { parley, page, changes } = await startWithPage()
    parley.signal('SIGINT')
    expect(await parley.ended).toEqual({ code: 0, signal: null })
    expect(parley.stdout()).toContain('shutting down; not waiting for 1 turn pending approval')
    await Promise.all([page.ended, changes.text()])
  })

  test('ends the service immediately if it is the second one [OPS-14]', async () => {
    const { parley, changes } = await startWithPage()
    parley.signal('SIGTERM')
    await expect
      .poll(parley.stdout, patiently)
      .toContain('waiting up to 3600 s for 1 open turn; press Ctrl-C again')
    parley.signal('SIGINT')
    expect(await parley.ended).toEqual({ code: 1, signal: null })
    await changes.text().catch(() => null)
  })
})

/** Starts a service with an open session. The test plays its provider. */
async function startWithSession() {
  const provider = await startScriptedProvider()
  onTestFinished(() => provider.close())
  const parley = await startParley({
    env: {
      ...(await newPostgres()),
      ...bootstrap,
      OPENAI_API_KEY: 'sk-of-the-test',
      OPENAI_BASE_URL: provider.baseUrl,
      PARLEY_DRAIN_SECONDS: '3600',
    },
  })
  const url = await parley.ready()
  const client = makeApiClient(url, credentials)
  const body = { name: 'Clerk', tools: [refundTool({ url: 'https://tools.example.com' })] }
  const agent = await client.call<Agent>('POST', '/api/v1/Agent', { body })
  const path = `/api/v1/Agent/${agent.body.id}/realtime-session`
  const ticket = await client.call<RealtimeSessionTicket>('POST', path, { body: {} })
  const session = await openSocket(url, ticket.body.webSocketPath)
  return { parley, session, provider: await provider.accept() }
}

describe('Ctrl-C while a session is open', slow, () => {
  test('ends a session in which a call only waits for approval [OPS-29]', async () => {
    const { parley, session, provider } = await startWithSession()
    playCalls(provider, 'resp_1', [refundCall('call_a')])
    await session.inbox.takeType('approval.waiting')
    parley.signal('SIGINT')
    expect(await session.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
    expect(await parley.ended).toEqual({ code: 0, signal: null })
  })

  test('waits for a session in which the user speaks until its answer is complete [OPS-29]', async () => {
    const { parley, session, provider } = await startWithSession()
    provider.send({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0, item_id: 'item_1' })
    await session.inbox.takeType('input_audio_buffer.speech_started')
    parley.signal('SIGINT')
    await expect.poll(parley.stdout, patiently).toContain('waiting up to 3600 s for 1 open session')
    provider.send({ type: 'input_audio_buffer.committed', item_id: 'item_1' })
    const response = { id: 'resp_1', status: 'in_progress', output: [] }
    provider.send({ type: 'response.created', response })
    provider.send({ type: 'response.done', response: { ...response, status: 'completed' } })
    await session.inbox.takeType('response.done')
    expect(await session.inbox.closed).toEqual({ code: 1012, reason: 'draining' })
    expect(await parley.ended).toEqual({ code: 0, signal: null })
  })
})
