import { type ErrorCode, RealtimeSessionTicket } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { ApiClient } from '../../support/api-client.js'
import { expectProblem } from '../../support/http/expect-problem.js'
import { createResource } from '../../support/http/resources.js'
import { addOrganization } from '../../support/organizations.js'
import { useLimitedServices } from '../../support/realtime/limited-services.js'
import { type RunningService, startService } from '../../support/start-service.js'

const services = useLimitedServices()

function ask(
  body: object,
  agentId = services.plain.service.agentId,
  client: ApiClient = services.plain.service.client,
) {
  return client.call<RealtimeSessionTicket>('POST', `/api/v1/Agent/${agentId}/realtime-session`, { body })
}

async function addAgent(
  fields: object = {},
  client: ApiClient = services.plain.service.client,
): Promise<string> {
  const { made } = await createResource(client, '/api/v1/Agent', { name: 'Another', ...fields })
  return made.id
}

async function addConnection(fields: object): Promise<string> {
  const body = { name: 'Another', kind: 'openai', apiKey: 'sk-another', ...fields }
  return (await createResource(services.plain.service.client, '/api/v1/Connection', body)).made.id
}

const countConversations = async () =>
  (await services.plain.service.client.call('GET', '/api/v1/Conversation')).body.totalCount

const tool = (name: string, more: object = {}) => ({ name, description: 'Does it.', ...more })

describe('the response to a session request', () => {
  test('is a ticket with every field and a relative path with conversationId and sessionId [2.3-1]', async () => {
    const { status, body } = await ask({})
    expect(status).toBe(201)
    expect(RealtimeSessionTicket.strict().parse(body)).toEqual({
      sessionId: expect.stringMatching(/^[\w-]{43}$/),
      conversationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAt: new Date(services.plain.clock.now().getTime() + 60_000).toISOString(),
      webSocketPath: `/api/v1/Agent/${services.plain.service.agentId}/realtime?conversationId=${body.conversationId}&sessionId=${body.sessionId}`,
      supportedInputAudioFormats: ['pcm16'],
      supportedOutputAudioFormats: ['pcm16'],
      maxSessionSeconds: 1800,
      idleTimeoutSeconds: 60,
      providerModelName: 'gpt-realtime-2.1',
    })
  })

  test('is a new ticket each time, even for the same Idempotency-Key [2.3-1]', async () => {
    const path = `/api/v1/Agent/${services.plain.service.agentId}/realtime-session`
    const options = { body: {}, headers: { 'idempotency-key': 'once' } }
    const answers = [
      await services.plain.service.client.call<RealtimeSessionTicket>('POST', path, options),
      await services.plain.service.client.call<RealtimeSessionTicket>('POST', path, options),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([201, 201])
    expect(new Set(answers.map((answer) => answer.body.sessionId)).size).toBe(2)
  })
})

describe('the session request', () => {
  const accepted = {
    'an empty body': {},
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
  test.each(Object.entries(accepted))('accepts %s [2.1-1]', async (_, body) => {
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
  test.each(refused)('rejects an invalid %s and names the field [2.1-1]', async (path, body) => {
    const problem = expectProblem(await ask(body), 'InvalidRequest')
    expect(problem.errors?.map((error) => error.path)).toEqual([path])
  })
})

describe('the conversation of a new session', () => {
  test('is a new conversation of the agent if the request names none [4.3-1]', async () => {
    const tickets = [
      await services.plain.service.createTicket(),
      await services.plain.service.createTicket({ conversationId: null }),
    ]
    for (const { conversationId } of tickets) {
      const { body } = await services.plain.service.client.call(
        'GET',
        `/api/v1/Conversation/${conversationId}`,
      )
      expect(body).toMatchObject({ agentId: services.plain.service.agentId, messageCount: 0 })
    }
    expect(tickets[0]?.conversationId).not.toBe(tickets[1]?.conversationId)
  })

  test('is the requested one if it belongs to the agent, in upper or lower case [4.3-2]', async () => {
    const { conversationId } = await services.plain.service.createTicket()
    const before = await countConversations()
    for (const given of [conversationId, conversationId.toUpperCase()])
      expect((await services.plain.service.createTicket({ conversationId: given })).conversationId).toBe(
        conversationId,
      )
    expect(await countConversations()).toBe(before)
  })

  test('must exist and belong to the same agent and organization [4.3-2]', async () => {
    const { conversationId } = await services.plain.service.createTicket()
    const connectionId = await addConnection({})
    const stranger = expectProblem(
      await ask({ conversationId }, await addAgent({ connectionId })),
      'InvalidRequest',
    )
    expect(stranger.errors?.map((error) => error.path)).toEqual(['conversationId'])
    expectProblem(await ask({ conversationId: uuid() }), 'NotFound')

    const other = services.plain.service.client.as(await addOrganization(services.plain.service))
    const { made } = await createResource(other, '/api/v1/Connection', { name: 'Theirs', kind: 'openai' })
    const theirAgent = await addAgent({ connectionId: made.id }, other)
    const theirs = await ask({}, theirAgent, other)
    expect(theirs.status).toBe(201)
    expectProblem(await ask({ conversationId: theirs.body.conversationId }), 'NotFound')
    expectProblem(await ask({}, theirAgent), 'NotFound')

    await services.plain.service.client.call('DELETE', `/api/v1/Conversation/${conversationId}`)
    expectProblem(await ask({ conversationId }), 'NotFound')
  })
})

describe('client tools', () => {
  test("may have names that differ only in case from each other and from the agent's tools [2.2-1] [4.3-4]", async () => {
    const names = ['look', 'Look', 'Find_booking', 'a', 'a-b_c9', 'n'.repeat(64)]
    const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }
    const clientTools = names.map((name, index) => tool(name, index % 2 === 0 ? { parameters } : {}))
    expect((await ask({ clientTools })).status).toBe(201)
  })

  const mistakes: readonly [string, object[], string][] = [
    ['tools without a name', [{ description: 'Does it.' }], '[0].name'],
    ['tools with an empty name', [tool('')], '[0].name'],
    ['tools whose name no provider accepts', [tool('look'), tool('look around')], '[1].name'],
    ['tools without a description', [{ name: 'look' }], '[0].description'],
    ['tools with an empty description', [tool('look', { description: '' })], '[0].description'],
    ['tools with a blank description', [tool('look', { description: ' \n' })], '[0].description'],
    ['tools with an array of parameters', [tool('look', { parameters: [] })], '[0].parameters'],
    ['tools with a string as parameters', [tool('look', { parameters: '{}' })], '[0].parameters'],
    ['tools with null parameters', [tool('look', { parameters: null })], '[0].parameters'],
    ['tools with an unknown field', [tool('look', { strict: true })], '[0].strict'],
    ['tools with a duplicate name', [tool('look'), tool('see'), tool('look')], '[2].name'],
    ['tools with the name of an agent tool', [tool('look'), tool('find_booking')], '[1].name'],
  ]
  const beyondInterface: readonly [string, object[], string][] = [
    ['names of 65 characters', [tool('n'.repeat(65))], '[0].name'],
    ['names with a dot', [tool('maps.show')], '[0].name'],
    ['names with a non-ASCII letter', [tool('größe')], '[0].name'],
    ['descriptions that are too long', [tool('look', { description: 'd'.repeat(4001) })], '[0].description'],
    ['more than 128 tools', Array.from({ length: 129 }, (_, index) => tool(`look_${index}`)), ''],
  ]
  test.each(beyondInterface)('%s are rejected [RT-37]', async (_, clientTools, path) => {
    const problem = expectProblem(await ask({ clientTools }), 'InvalidRequest')
    expect(problem.errors?.map((error) => error.path)).toEqual([`clientTools${path}`])
  })

  test.each(mistakes)('%s are rejected [2.2-1] [4.3-4]', async (_, clientTools, path) => {
    const before = await countConversations()
    const problem = expectProblem(await ask({ clientTools }), 'InvalidRequest')
    expect(problem.errors?.map((error) => error.path)).toEqual([`clientTools${path}`])
    expect(await countConversations()).toBe(before)
  })
})

describe('a session request that cannot be met', () => {
  const formats = ['g711_ulaw', 'PCM16', 'pcm16 ', 'mp3', '']
  test.each(formats)(
    'returns 400 with status, detail and errorCode for the audio format "%s" if the deployment does not support it [4.3-3] [2.4-1]',
    async (format) => {
      for (const direction of ['input', 'output']) {
        const problem = expectProblem(
          await ask({ [`${direction}AudioFormat`]: format }),
          'RealtimeAudioFormatUnsupported',
        )
        expect(problem.status).toBe(400)
        expect(problem.detail).toMatch(new RegExp(`The ${direction} audio format .*pcm16`))
      }
    },
  )

  test('returns 400 for pcm16 if the deployment supports only other formats [4.3-3] [2.4-1]', async () => {
    const there = services.configured.service
    const refused = await ask({}, there.agentId, there.client)
    expectProblem(refused, 'RealtimeAudioFormatUnsupported')
    const request = { inputAudioFormat: 'g711_alaw', outputAudioFormat: 'g711_ulaw' }
    expect((await ask(request, there.agentId, there.client)).status).toBe(201)
  })

  const connections: readonly [string, ErrorCode, object, object][] = [
    ['that is disabled [7.2-2]', 'RealtimeUnsupportedConnection', { governanceDisabled: true }, {}],
    ['without realtime enabled [7.2-2]', 'RealtimeUnsupportedConnection', { realtimeEnabled: false }, {}],
    ['of a kind without realtime [7.2-2]', 'RealtimeUnsupportedConnection', { kind: 'anthropic' }, {}],
    ['without a realtime model [7.2-3]', 'RealtimeUnsupportedModel', { models: { realtime: [] } }, {}],
    [
      "without the agent's model [7.2-3]",
      'RealtimeUnsupportedModel',
      { models: { realtime: ['one', 'two'] } },
      { realtimeModel: 'One' },
    ],
    [
      "with only the deployment's model [7.2-3]",
      'RealtimeUnsupportedModel',
      {},
      { realtimeModel: 'gpt-realtime' },
    ],
  ]
  test.each(connections)('returns 400 for a connection %s [2.4-1]', async (_, code, connection, agent) => {
    const connectionId = await addConnection(connection)
    const problem = expectProblem(await ask({}, await addAgent({ connectionId, ...agent })), code)
    expect(problem.status).toBe(400)
  })

  test('returns 400 for an agent without a connection [7.2-2] [2.4-1]', async () => {
    const other = services.plain.service.client.as(await addOrganization(services.plain.service))
    const problem = expectProblem(
      await ask({}, await addAgent({}, other), other),
      'RealtimeUnsupportedConnection',
    )
    expect(problem.detail).toContain('no connection')
  })

  const off = { PARLEY_REALTIME_ENABLED: 'false' }
  const consoleOnly = { PARLEY_REALTIME_ACCESS_MODES: 'console' }
  test.each([off, consoleOnly])('returns 400 for every request under %o [7.2-1] [2.4-1]', async (env) => {
    const there: RunningService = await startService({ env })
    const problem = expectProblem(await ask({}, uuid(), there.client), 'RealtimeNotEnabled')
    expect(problem.status).toBe(400)
    // The check runs before the request is parsed, so the body makes no difference.
    const headers = { 'x-api-key': there.apiKey, 'x-org-id': there.organizationId }
    const json = { ...headers, 'content-type': 'application/json' }
    const send = (agentId: string, init: RequestInit) =>
      fetch(`${there.url}/api/v1/Agent/${agentId}/realtime-session`, { method: 'POST', ...init })
    const malformed: readonly (readonly [string, RequestInit])[] = [
      [uuid(), { headers: json, body: '{"voice":' }],
      [uuid(), { headers: json, body: '{"unknown":true}' }],
      [uuid(), { headers: { ...headers, 'content-type': 'text/plain' }, body: 'hello' }],
      ['no-uuid', { headers: json, body: '{}' }],
    ]
    for (const [agentId, init] of malformed)
      expect(await (await send(agentId, init)).json()).toMatchObject({ errorCode: 'RealtimeNotEnabled' })
    expect((await send(uuid(), { body: '{' })).status).toBe(401)
    await there.close()
  })
})

test("the model is the agent's, else the connection's first, else the deployment's [7.2-3]", async () => {
  const connectionId = await addConnection({ models: { realtime: ['one', 'two'] } })
  const modelOf = async (fields: object) =>
    (await services.plain.service.createTicket({}, await addAgent(fields))).providerModelName
  expect(await modelOf({ connectionId, realtimeModel: 'two' })).toBe('two')
  expect(await modelOf({ connectionId })).toBe('one')
  const request = { inputAudioFormat: 'g711_ulaw', outputAudioFormat: 'g711_ulaw' }
  expect((await services.configured.service.createTicket(request)).providerModelName).toBe(
    'some-realtime-model',
  )
})
