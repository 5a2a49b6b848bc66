import { type ErrorCode, RealtimeSessionTicket } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { createResource } from '../../support/http/resources.js'
import { addOrganization } from '../../support/organizations.js'
import { shakeHands } from '../../support/realtime/open-socket.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock, type TestClock } from '../../support/test-clock.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

interface Limits {
  readonly ttlSeconds: number
  readonly maxSessionSeconds: number
  readonly idleTimeoutSeconds: number
  readonly connectTimeoutSeconds: number
  readonly maxMessageBytes: number
  readonly formats: readonly string[]
}

interface World {
  readonly service: RealtimeTestService
  readonly clock: TestClock
  readonly timers: TestTimers
}

const defaults: Limits = {
  ttlSeconds: 60,
  maxSessionSeconds: 1800,
  idleTimeoutSeconds: 60,
  connectTimeoutSeconds: 15,
  maxMessageBytes: 65_536,
  formats: ['pcm16'],
}
const chosen: Limits = {
  ttlSeconds: 5,
  maxSessionSeconds: 30,
  idleTimeoutSeconds: 10,
  connectTimeoutSeconds: 3,
  maxMessageBytes: 2048,
  formats: ['g711_ulaw', 'g711_alaw'],
}

let plain: World
let configured: World
let service: RealtimeTestService

beforeAll(async () => {
  plain = await startWorld({})
  configured = await startWorld({
    PARLEY_REALTIME_SESSION_TTL_SECONDS: String(chosen.ttlSeconds),
    PARLEY_REALTIME_MAX_SESSION_SECONDS: String(chosen.maxSessionSeconds),
    PARLEY_REALTIME_IDLE_TIMEOUT_SECONDS: String(chosen.idleTimeoutSeconds),
    PARLEY_REALTIME_PROVIDER_CONNECT_TIMEOUT_SECONDS: String(chosen.connectTimeoutSeconds),
    PARLEY_REALTIME_MAX_MESSAGE_BYTES: String(chosen.maxMessageBytes),
    PARLEY_REALTIME_INPUT_FORMATS: chosen.formats.join(),
    PARLEY_REALTIME_OUTPUT_FORMATS: chosen.formats.join(),
    PARLEY_REALTIME_MODEL: 'some-realtime-model',
  })
  service = plain.service
})

afterAll(async () => {
  await plain.service.close()
  await configured.service.close()
})

async function startWorld(env: Readonly<Record<string, string>>): Promise<World> {
  const clock = makeTestClock()
  const timers = makeTestTimers()
  return { service: await startRealtimeService({ env, clock, timers }), clock, timers }
}

function ask(body: object, agentId = service.agentId, client: ApiClient = service.client) {
  return client.call<RealtimeSessionTicket>('POST', `/api/v1/Agent/${agentId}/realtime-session`, { body })
}

async function addAgent(fields: object = {}, client: ApiClient = service.client): Promise<string> {
  const { made } = await createResource(client, '/api/v1/Agent', { name: 'Another', ...fields })
  return made.id
}

async function addConnection(fields: object): Promise<string> {
  const body = { name: 'Another', kind: 'openai', apiKey: 'sk-another', ...fields }
  return (await createResource(service.client, '/api/v1/Connection', body)).made.id
}

const countConversations = async () =>
  (await service.client.call('GET', '/api/v1/Conversation')).body.totalCount

/** How many sessions the service has said the end of; it says so at once. */
const countEnds = (there: RunningService) =>
  there.log.filter((line) => line.includes('realtime session ended')).length

const tool = (name: string, more: object = {}) => ({ name, description: 'Does it.', ...more })

describe('the answer', () => {
  test('[2.3-1] is a ticket with every field, and a relative path with conversationId and sessionId', async () => {
    const { status, body } = await ask({})
    expect(status).toBe(201)
    expect(RealtimeSessionTicket.strict().parse(body)).toEqual({
      sessionId: expect.stringMatching(/^[\w-]{43}$/),
      conversationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAt: new Date(plain.clock.now().getTime() + 60_000).toISOString(),
      webSocketPath: `/api/v1/Agent/${service.agentId}/realtime?conversationId=${body.conversationId}&sessionId=${body.sessionId}`,
      supportedInputAudioFormats: ['pcm16'],
      supportedOutputAudioFormats: ['pcm16'],
      maxSessionSeconds: 1800,
      idleTimeoutSeconds: 60,
      providerModelName: 'gpt-realtime-2.1',
    })
  })

  test('[2.3-1] is another ticket each time, also for the same Idempotency-Key', async () => {
    const path = `/api/v1/Agent/${service.agentId}/realtime-session`
    const options = { body: {}, headers: { 'idempotency-key': 'once' } }
    const answers = [
      await service.client.call<RealtimeSessionTicket>('POST', path, options),
      await service.client.call<RealtimeSessionTicket>('POST', path, options),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([201, 201])
    expect(new Set(answers.map((answer) => answer.body.sessionId)).size).toBe(2)
  })
})

describe('[2.1-1] the request', () => {
  const accepted = {
    'nothing at all': {},
    'every field with its default': {
      conversationId: null,
      inputAudioFormat: 'pcm16',
      outputAudioFormat: 'pcm16',
      voice: 'alloy',
      additionalInstructions: null,
      clientTools: [],
    },
    'every field with a value': {
      voice: 'cedar',
      additionalInstructions: 'Speak slowly.',
      clientTools: [tool('look')],
    },
  }
  test.each(Object.entries(accepted))('takes %s', async (_, body) => {
    expect((await ask(body)).status).toBe(201)
  })

  const refused: readonly [string, object][] = [
    ['conversationId', { conversationId: 'mine' }],
    ['inputAudioFormat', { inputAudioFormat: null }],
    ['outputAudioFormat', { outputAudioFormat: 24_000 }],
    ['voice', { voice: '' }],
    ['additionalInstructions', { additionalInstructions: ['Speak slowly.'] }],
    ['clientTools', { clientTools: {} }],
    ['instructions', { instructions: 'Speak slowly.' }],
  ]
  test.each(refused)('refuses a bad %s by its name', async (path, body) => {
    const problem = expectProblem(await ask(body), 'InvalidRequest')
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })
})

describe('the conversation', () => {
  test('[4.3-1] is a new one of the agent where none is given', async () => {
    const tickets = [await service.createTicket(), await service.createTicket({ conversationId: null })]
    for (const { conversationId } of tickets) {
      const { body } = await service.client.call('GET', `/api/v1/Conversation/${conversationId}`)
      expect(body).toMatchObject({ agentId: service.agentId, messageCount: 0 })
    }
    expect(tickets[0]?.conversationId).not.toBe(tickets[1]?.conversationId)
  })

  test("[4.3-2] is the given one where it is the agent's own, in either letter case", async () => {
    const { conversationId } = await service.createTicket()
    const before = await countConversations()
    for (const given of [conversationId, conversationId.toUpperCase()])
      expect((await service.createTicket({ conversationId: given })).conversationId).toBe(conversationId)
    expect(await countConversations()).toBe(before)
  })

  test("[4.3-2] cannot be another agent's, an unknown, a deleted or another organization's one", async () => {
    const { conversationId } = await service.createTicket()
    const connectionId = await addConnection({})
    const stranger = expectProblem(
      await ask({ conversationId }, await addAgent({ connectionId })),
      'InvalidRequest',
    )
    expect(stranger.errors?.map((error) => error.path)).toEqual(['conversationId'])
    expectProblem(await ask({ conversationId: uuid() }), 'NotFound')

    const other = service.client.as(await addOrganization(service))
    const { made } = await createResource(other, '/api/v1/Connection', { name: 'Theirs', kind: 'openai' })
    const theirAgent = await addAgent({ connectionId: made.id }, other)
    const theirs = await ask({}, theirAgent, other)
    expect(theirs.status).toBe(201)
    expectProblem(await ask({ conversationId: theirs.body.conversationId }), 'NotFound')
    expectProblem(await ask({}, theirAgent), 'NotFound')

    await service.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
    expectProblem(await ask({ conversationId }), 'NotFound')
  })
})

describe('client tools', () => {
  test('[2.2-1] [4.3-4] take names that differ in letter case, from each other and from the agent', async () => {
    const names = ['look', 'Look', 'Find_booking', 'a', 'a-b_c9', 'n'.repeat(64)]
    const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }
    const clientTools = names.map((name, index) => tool(name, index % 2 === 0 ? { parameters } : {}))
    expect((await ask({ clientTools })).status).toBe(201)
  })

  const mistakes: readonly [string, object[], string][] = [
    ['without a name', [{ description: 'Does it.' }], '[0].name'],
    ['with an empty name', [tool('')], '[0].name'],
    ['whose name no provider takes', [tool('look'), tool('look around')], '[1].name'],
    ['without a description', [{ name: 'look' }], '[0].description'],
    ['with an empty description', [tool('look', { description: '' })], '[0].description'],
    ['with a blank description', [tool('look', { description: ' \n' })], '[0].description'],
    ['with a list of parameters', [tool('look', { parameters: [] })], '[0].parameters'],
    ['with a text for parameters', [tool('look', { parameters: '{}' })], '[0].parameters'],
    ['with null parameters', [tool('look', { parameters: null })], '[0].parameters'],
    ['with an unknown field', [tool('look', { strict: true })], '[0].strict'],
    ['of one name', [tool('look'), tool('see'), tool('look')], '[2].name'],
    ["of a name of the agent's own", [tool('look'), tool('find_booking')], '[1].name'],
  ]
  test.each(mistakes)('[2.2-1] [4.3-4] %s are refused', async (_, clientTools, path) => {
    const before = await countConversations()
    const problem = expectProblem(await ask({ clientTools }), 'InvalidRequest')
    expect(problem.errors?.map((error) => error.path)).toEqual([`clientTools${path}`])
    expect(await countConversations()).toBe(before)
  })
})

describe('[2.4-1] what realtime refuses is HTTP 400 with status, detail and errorCode', () => {
  const formats = ['g711_ulaw', 'PCM16', 'pcm16 ', 'mp3', '']
  test.each(formats)('[4.3-3] an audio format that the deployment does not have: "%s"', async (format) => {
    for (const direction of ['input', 'output']) {
      const problem = expectProblem(
        await ask({ [`${direction}AudioFormat`]: format }),
        'RealtimeAudioFormatUnsupported',
      )
      expect(problem.status).toBe(400)
      expect(problem.detail).toMatch(new RegExp(`The ${direction} audio format .*pcm16`))
    }
  })

  test('[4.3-3] pcm16 too, where the deployment has others', async () => {
    const there = configured.service
    const refused = await ask({}, there.agentId, there.client)
    expectProblem(refused, 'RealtimeAudioFormatUnsupported')
    const request = { inputAudioFormat: 'g711_alaw', outputAudioFormat: 'g711_ulaw' }
    expect((await ask(request, there.agentId, there.client)).status).toBe(201)
  })

  const connections: readonly [string, ErrorCode, object, object][] = [
    ['[7.2-2] switched off', 'RealtimeUnsupportedConnection', { governanceDisabled: true }, {}],
    ['[7.2-2] not enabled', 'RealtimeUnsupportedConnection', { realtimeEnabled: false }, {}],
    ['[7.2-2] of a kind without it', 'RealtimeUnsupportedConnection', { kind: 'anthropic' }, {}],
    ['[7.2-3] without a model', 'RealtimeUnsupportedModel', { models: { realtime: [] } }, {}],
    [
      "[7.2-3] without the agent's model",
      'RealtimeUnsupportedModel',
      { models: { realtime: ['one', 'two'] } },
      { realtimeModel: 'One' },
    ],
    [
      "[7.2-3] with the deployment's model alone",
      'RealtimeUnsupportedModel',
      {},
      { realtimeModel: 'gpt-realtime' },
    ],
  ]
  test.each(connections)('a connection %s', async (_, code, connection, agent) => {
    const connectionId = await addConnection(connection)
    const problem = expectProblem(await ask({}, await addAgent({ connectionId, ...agent })), code)
    expect(problem.status).toBe(400)
  })

  test('[7.2-2] no connection at all', async () => {
    const other = service.client.as(await addOrganization(service))
    const problem = expectProblem(
      await ask({}, await addAgent({}, other), other),
      'RealtimeUnsupportedConnection',
    )
    expect(problem.detail).toContain('no connection')
  })

  const off = { PARLEY_REALTIME_ENABLED: 'false' }
  const consoleOnly = { PARLEY_REALTIME_ACCESS_MODES: 'console' }
  test.each([off, consoleOnly])('[7.2-1] everything, under %o', async (env) => {
    const there: RunningService = await startService({ env })
    const problem = expectProblem(await ask({}, uuid(), there.client), 'RealtimeNotEnabled')
    expect(problem.status).toBe(400)
    await there.close()
  })
})

test("[7.2-3] the model is the agent's, else the connection's first, else the deployment's", async () => {
  const connectionId = await addConnection({ models: { realtime: ['one', 'two'] } })
  const modelOf = async (fields: object) =>
    (await service.createTicket({}, await addAgent(fields))).providerModelName
  expect(await modelOf({ connectionId, realtimeModel: 'two' })).toBe('two')
  expect(await modelOf({ connectionId })).toBe('one')
  const request = { inputAudioFormat: 'g711_ulaw', outputAudioFormat: 'g711_ulaw' }
  expect((await configured.service.createTicket(request)).providerModelName).toBe('some-realtime-model')
})

describe.each([
  ['default', defaults, () => plain],
  ['setting', chosen, () => configured],
] as const)('[8-1] the %s of each limit', (_, limits, worldOf) => {
  const [format] = limits.formats
  const request = { inputAudioFormat: format, outputAudioFormat: format }

  test('is in the ticket', async () => {
    const { clock, service: there } = worldOf()
    expect(await there.createTicket(request)).toMatchObject({
      expiresAt: new Date(clock.now().getTime() + limits.ttlSeconds * 1000).toISOString(),
      supportedInputAudioFormats: limits.formats,
      supportedOutputAudioFormats: limits.formats,
      maxSessionSeconds: limits.maxSessionSeconds,
      idleTimeoutSeconds: limits.idleTimeoutSeconds,
    })
  })

  test('holds for the token', async () => {
    const { clock, service: there } = worldOf()
    const { webSocketPath } = await there.createTicket(request)
    clock.advance(limits.ttlSeconds * 1000)
    expectProblem(await shakeHands(there.url, webSocketPath), 'RealtimeSessionExpired')
  })

  test('holds for silence', async () => {
    const { timers, service: there } = worldOf()
    const { client } = await there.openSession(request)
    const ends = countEnds(there)
    timers.advance((limits.idleTimeoutSeconds - 1) * 1000)
    expect(countEnds(there)).toBe(ends)
    timers.advance(1000)
    expect(await client.inbox.closed).toMatchObject({ code: 4001 })
  })

  test('holds for the whole session', async () => {
    const { timers, service: there } = worldOf()
    const { client, provider } = await there.openSession(request)
    const stepSeconds = 6
    for (let passed = 0; passed < limits.maxSessionSeconds; passed += stepSeconds) {
      // There and back, so that pings of both sides are answered on the way.
      provider.send({ type: 'rate_limits.updated', passed })
      expect(await client.inbox.takeJson()).toMatchObject({ passed })
      client.send({ type: 'input_audio_buffer.clear', passed })
      expect(await provider.inbox.takeJson()).toMatchObject({ passed })
      timers.advance(stepSeconds * 1000)
    }
    expect(await client.inbox.closed).toMatchObject({ code: 4000 })
  })

  test('holds for a message', async () => {
    const { client, provider } = await worldOf().service.openSession(request)
    client.send(Buffer.alloc(limits.maxMessageBytes))
    expect((await provider.inbox.take()).data).toHaveLength(limits.maxMessageBytes)
    client.send(Buffer.alloc(limits.maxMessageBytes + 1))
    expect(await client.inbox.closed).toMatchObject({ code: 1009 })
  })

  test('holds for reaching the provider', async () => {
    const { timers, service: there } = worldOf()
    const reached = new Promise<void>((resolve) =>
      there.provider.onUpgrade(() => {
        resolve()
        return 'handled'
      }),
    )
    const { webSocketPath } = await there.createTicket(request)
    const client = await there.connect(webSocketPath)
    await reached
    const ends = countEnds(there)
    timers.advance(limits.connectTimeoutSeconds * 1000 - 1)
    expect(countEnds(there)).toBe(ends)
    timers.advance(1)
    expect(await client.inbox.closed).toMatchObject({ code: 4002 })
  })
})
