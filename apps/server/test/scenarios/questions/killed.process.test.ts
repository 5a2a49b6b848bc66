import type { Usage } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { makeApiClient } from '../../support/api-client.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newDirectory,
  newMigratedDirectory,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { ask, askStreaming, follow } from '../../support/questions/ask.js'
import type { EventStream } from '../../support/questions/event-stream.js'
import { joinModels, type ModelAddress } from '../../support/questions/model-address.js'
import { turnOf } from '../../support/questions/question-service.js'
import { expectCompleteStream } from '../../support/questions/received-events.js'
import { openSocket } from '../../support/realtime/open-socket.js'
import { type ScriptedProvider, startScriptedProvider } from '../../support/realtime/scripted-provider.js'
import { messagesOf, responseCreated, responseDone } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { withPostgresClient } from '../../support/services/postgres-connection.js'
import { databaseKinds, type RunningService, startService } from '../../support/start-service.js'
import { makeTestTimers } from '../../support/test-timers.js'
import { expectSumsOfRecords } from '../../support/usage/ledger-sums.js'

const leaseMilliseconds = 15_000
const patiently = { timeout: 60_000, interval: 50 }
const failure = 'The service stopped while it was answering. The partial answer is stored. Ask again.'
const unknownOutcome = 'The service stopped while the tool was running, so its outcome is unknown.'
const silenced = `update instance_lease set renewed_at = renewed_at - interval '60 seconds'`
const env = {
  ...bootstrap,
  PARLEY_SECRET: 'a secret for tests that is long enough',
  PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  LOG_LEVEL: 'warn',
}

afterAll(cleanUp)

describe.each(databaseKinds)('a service that is killed while it answers (%s)', slow, (kind) => {
  const timers = makeTestTimers()
  let model: ScriptedChatServer
  let voice: ScriptedProvider
  let address: ModelAddress
  let tools: ScriptedHttpServer
  let agentId: string
  /** The events received before the connection broke. */
  let heard: { speaking: EventStream; calling: EventStream; queued: EventStream }
  let next: RunningService
  let following: EventStream
  let statusAtStart: string
  let passing: NodeJS.Timeout

  beforeAll(async () => {
    model = await startScriptedChatServer()
    voice = await startScriptedProvider()
    address = await joinModels(model, voice)
    tools = await startScriptedHttpServer()
    const directory = kind === 'embedded' ? await newMigratedDirectory() : await newDirectory()
    const settings = { ...env, ...(kind === 'postgres' && (await newPostgres())) }
    const parley = await startParley({ directory, env: settings })
    const url = await parley.ready()
    const service = { url, ...credentials, client: makeApiClient(url, credentials) }
    agentId = await makeTextAgent(service, address, { name: 'Clerk', tools: [lookUp(tools)] })
    heard = await leaveUnfinished(service)
    await speakOn(service)
    parley.signal('SIGKILL')
    await parley.ended
    // Makes the killed instance look silent for a minute. No other instance can have the embedded database
    // open.
    if ('DATABASE_URL' in settings)
      await withPostgresClient(settings.DATABASE_URL, (client) => client.query(silenced))
    const started = await startService({
      database: kind,
      timers,
      env: { ...settings, PARLEY_DATA_DIR: `${directory}/data` },
    })
    const client = makeApiClient(started.url, credentials)
    next = { ...started, ...credentials, client }
    const { data: last } = await heard.queued.waitFor('turn.started')
    statusAtStart = (await turnOf(next, last)).status
    following = await follow(next, (await heard.speaking.waitFor('turn.started')).data)
    timers.advance(leaseMilliseconds)
    // Followers poll on these timers.
    passing = setInterval(() => timers.advance(250), 50)
    await vi.waitUntil(async () => (await turnOf(next, last)).status === 'failed', patiently)
  }, slow.timeout)

  afterAll(async () => {
    clearInterval(passing)
    await next.close()
    for (const server of [model, voice, tools, address]) await server.close()
  })

  /** Starts a turn that streams its answer, a turn that is queued behind it, and a turn whose tool runs. */
  async function leaveUnfinished(service: Parameters<typeof ask>[0]) {
    model.answer({ text: ['Once ', 'upon'], end: 'hanging' })
    const speaking = await askStreaming(
      service,
      agentId,
      { question: 'A story?' },
      { 'idempotency-key': 'story' },
    )
    await speaking.waitFor('response.text.delta')
    const { conversationId } = (await speaking.waitFor('turn.started')).data
    const queued = await askStreaming(service, agentId, { question: 'And then?', conversationId })
    await queued.waitFor('turn.started')
    model.answer({ text: 'Let me see.', calls: [{ id: 'call_1', name: 'look_up' }] })
    const called = tools.expect('GET /look-up', () => undefined)
    const calling = await askStreaming(service, agentId, { question: 'How much?' })
    await called
    await calling.waitFor('response.function_invocation.start')
    return { speaking, calling, queued }
  }

  /** Starts a session with a counted response, a response that was just reported, and one that is running. */
  async function speakOn({ url, client: api }: Pick<RunningService, 'url' | 'client'>): Promise<void> {
    const path = `/api/v1/Agent/${agentId}/realtime-session`
    const ticket = (await api.call<{ webSocketPath: string }>('POST', path, { body: {} })).body
    const client = await openSocket(url, ticket.webSocketPath)
    const provider = await voice.accept()
    await provider.inbox.takeType('session.update')
    const done = (id: string) => responseDone(id, { status: 'completed', output: [], usage: spokenUsage })
    for (const event of [responseCreated('resp_1'), done('resp_1')]) provider.send(event)
    await vi.waitUntil(async () => {
      const { body } = await api.call<Usage>('GET', '/api/v1/Usage?GroupBy=channel&Channel=realtime')
      return body.totals.responses === 1
    }, patiently)
    for (const event of [responseCreated('resp_2'), done('resp_2'), responseCreated('resp_3')])
      provider.send(event)
    await client.inbox.takeType('response.done')
    await client.inbox.takeType('response.done')
  }

  test('closes its turns before the next start serves requests if no other instance can exist [OPS-15] [ASK-9]', () => {
    expect(statusAtStart).toBe(kind === 'embedded' ? 'failed' : 'queued')
  })

  test('keeps the question and the partial answer, and states the failure [ASK-9]', async () => {
    const { data: turn } = await heard.speaking.waitFor('turn.started')
    expect(await turnOf(next, turn)).toMatchObject({ status: 'failed', failure })
    const [asked, given] = await messagesOf(next.client, turn.conversationId)
    expect(asked).toMatchObject({ role: 'user', content: 'A story?', interrupted: false })
    expect(given).toMatchObject({ role: 'assistant', interrupted: true, failure })
    expect(['Once ', 'Once upon']).toContain(given?.content)
  })

  test('lets followers resume and read to the end [ASK-9]', async () => {
    const { data: turn } = await heard.speaking.waitFor('turn.started')
    await following.ended
    expectCompleteStream(following.received, 'error')
    expect((await following.waitFor('error')).data).toEqual({ code: 'interrupted', message: failure })
    const before = heard.speaking.received.length
    expect(following.received.slice(0, before)).toEqual(heard.speaking.received)
    const rest = await follow(next, turn, before)
    await rest.ended
    expect([...heard.speaking.received, ...rest.received]).toEqual(following.received)
  })

  test('keeps a queued question [ASK-9]', async () => {
    const { data: turn } = await heard.queued.waitFor('turn.started')
    const again = await follow(next, turn)
    await again.ended
    expectCompleteStream(again.received, 'error')
    const messages = await messagesOf(next.client, turn.conversationId)
    expect(messages.slice(2, 4)).toMatchObject([
      { role: 'user', content: 'And then?' },
      { role: 'assistant', content: '', failure },
    ])
  })

  test('closes the tools that were running [ASK-9]', async () => {
    const { data: turn } = await heard.calling.waitFor('turn.started')
    expect(await turnOf(next, turn)).toMatchObject({
      status: 'failed',
      toolInvocations: [{ callId: 'call_1', status: 2, content: unknownOutcome }],
    })
    expect(await messagesOf(next.client, turn.conversationId)).toMatchObject([
      { role: 'user', content: 'How much?' },
      { role: 'tool', status: 2 },
      { role: 'assistant', content: 'Let me see.', interrupted: true },
    ])
  })

  test('has counted each finished step and response once, and the sums match the records [USE-1] [USE-2] [USE-3] [ASK-9]', async () => {
    const { data: called } = await heard.calling.waitFor('turn.started')
    expect((await turnOf(next, called)).usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 0,
    })
    const { data: spoken } = await heard.speaking.waitFor('turn.started')
    expect((await turnOf(next, spoken)).usage).toMatchObject({ inputTokens: 0, outputTokens: 0 })
    const { body } = await next.client.call<Usage>('GET', '/api/v1/Usage?GroupBy=channel')
    const [inSession, inText] = ['realtime', 'text'].map((channel) =>
      body.items.find(({ group }) => group.channel === channel),
    )
    expect(inText).toMatchObject({ tokens: { textInput: 10, textOutput: 5 } })
    // The first response was counted when the process died. The second may have been counted, but never in
    // part.
    const known = (inSession?.responses ?? 0) - (inSession?.cost.unknownResponses ?? 0)
    expect([1, 2]).toContain(known)
    expect(inSession?.tokens).toMatchObject({ audioInput: 13 * known, audioOutput: 91 * known })
    await expectSumsOfRecords(next.service.database.stores, credentials.organizationId)
  })

  test('lets a client repeat the question with the same key [ASK-10] [ASK-9]', async () => {
    model.answer({ text: 'Once upon a time.' })
    const again = await ask(next, agentId, { question: 'A story?' }, { 'idempotency-key': 'story' })
    expect([again.status, again.body.answer]).toEqual([200, 'Once upon a time.'])
    expect(again.body.turnId).not.toBe((await heard.speaking.waitFor('turn.started')).data.turnId)
  })

  test('lets the conversation continue [ASK-9]', async () => {
    const { conversationId } = (await heard.speaking.waitFor('turn.started')).data
    model.answer({ text: 'Where were we?' })
    const { status, body } = await ask(next, agentId, { question: 'Go on?', conversationId })
    expect([status, body.answer]).toEqual([200, 'Where were we?'])
    expect((await messagesOf(next.client, conversationId)).map(({ role }) => role)).toEqual(
      Array.from({ length: 6 }, (_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
    )
    model.verify()
    tools.verify()
  })
})

const spokenUsage = {
  ...{ total_tokens: 104, input_tokens: 13, output_tokens: 91 },
  input_token_details: { audio_tokens: 13 },
  output_token_details: { audio_tokens: 91 },
}

function lookUp({ url }: ScriptedHttpServer): object {
  return {
    kind: 'http',
    name: 'look_up',
    description: 'Looks something up.',
    request: { method: 'GET', url: `${url}/look-up` },
  }
}
