import type { ServerResponse } from 'node:http'
import type { ConnectionTest, Problem } from '@parley/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  granted,
  makeServiceAccount,
  refused,
  type ServiceAccount,
} from '../../support/google/service-account.js'
import {
  createGeminiAgent,
  openGemini,
  serveGemini,
} from '../../support/realtime/dialects/gemini-sessions.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { endedSession, endReasonOf, messagesOf, patiently } from '../../support/realtime/spoken-turns.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

const project = '/v1/projects/my-project/locations/us-central1'
const livePath = '/ws/google.cloud.aiplatform.v1.LlmBidiService/BidiGenerateContent'
const askForToken = 'POST /token'

let service: RealtimeTestService
/** The token address, and the provider of lists of models. */
let google: ScriptedHttpServer
let chat: ScriptedChatServer
let account: ServiceAccount

beforeAll(async () => {
  service = await startRealtimeService()
  google = await startScriptedHttpServer()
  chat = await startScriptedChatServer()
})

// Tokens are kept for each key, so each test has a key of its own.
beforeEach(() => {
  account = makeServiceAccount(`${google.url}/token`)
})

afterEach(() => {
  google.verify()
  chat.verify()
  for (const secret of [...account.secrets, 'ya29.']) expect(service.log.join('')).not.toContain(secret)
})

afterAll(async () => {
  await service.close()
  await google.close()
  await chat.close()
})

const connectionTo = (origin: string, fields: object = {}) => ({
  baseUrl: `${origin}${project}`,
  apiKey: account.key,
  ...fields,
})

const createAgent = (fields: object = {}) => {
  const { origin } = new URL(service.provider.baseUrl)
  const realtime = ['gemini-live-2.5-flash']
  return createGeminiAgent(service, { connection: connectionTo(origin, { models: { realtime }, ...fields }) })
}

describe('a session on Vertex AI', () => {
  test('signs in with the key of a service account, and keeps the token [CON-8] [RT-64]', async () => {
    const agentId = await createAgent()
    const asked = google.expect(askForToken, granted('ya29.one'))
    const { provider, gemini, client, ticket } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    expect(account.claimsOf((await asked).body).aud).toBe(`${google.url}/token`)
    expect(provider.request.url).toBe(livePath)
    expect(provider.request.headers.authorization).toBe('Bearer ya29.one')
    expect(gemini.setup?.model).toBe(
      'projects/my-project/locations/us-central1/publishers/google/models/gemini-live-2.5-flash',
    )
    expect(client.inbox.all[0]?.data.toString()).not.toContain('my-project')
    gemini.hear(' Hello?')
    gemini.answer('Good day.')
    await client.inbox.takeType('conversation.item.input_audio_transcription.completed')
    client.socket.close(1000)
    const { usage } = await endedSession(service.client, ticket.conversationId)
    expect(usage).toMatchObject({ inputTokens: 626, outputTokens: 65 })
    const messages = await messagesOf(service.client, ticket.conversationId)
    expect(messages.map(({ content }) => content)).toEqual(['Hello?', 'Good day.'])
    expect(gemini.errors).toEqual([])

    const next = await openGemini(service, agentId)
    await next.client.inbox.takeType('session.updated')
    expect(next.provider.request.headers.authorization).toBe('Bearer ya29.one')
    next.client.socket.close(1000)
  })

  test('requests another token when the last one has expired [CON-8]', async () => {
    const agentId = await createAgent()
    for (const token of ['ya29.one', 'ya29.two']) {
      void google.expect(askForToken, granted(token, 0))
      const { provider, client } = await openGemini(service, agentId)
      await client.inbox.takeType('session.updated')
      expect(provider.request.headers.authorization).toBe(`Bearer ${token}`)
      client.socket.close(1000)
    }
  })

  test('requests another token once if the provider rejects the one that was kept [CON-8]', async () => {
    const agentId = await createAgent()
    const tokens: unknown[] = []
    service.provider.onUpgrade((request, socket) => {
      tokens.push(request.headers.authorization)
      if (tokens.length > 1) return 'accept'
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n')
      return 'handled'
    })
    void google.expect(askForToken, granted('ya29.old'))
    void google.expect(askForToken, granted('ya29.new'))
    const { client } = await openGemini(service, agentId)
    await client.inbox.takeType('session.updated')
    expect(tokens).toEqual(['Bearer ya29.old', 'Bearer ya29.new'])
    client.socket.close(1000)
    service.provider.onUpgrade(() => 'accept')
  })

  test('ends with the reason if the token is refused [CON-8] [RT-17]', async () => {
    const ticket = await service.createTicket({}, await createAgent())
    void google.expect(askForToken, refused)
    const client = await service.connect(ticket.webSocketPath)
    expect((await client.inbox.closed).code).toBe(4002)
    const shown = client.inbox.all.map(({ data }) => data.toString()).join('')
    expect(shown).toContain('answered 400 (invalid_grant): it rejected the key of the service account')
    for (const secret of account.secrets) expect(shown).not.toContain(secret)
    const reason = () => endReasonOf(service.client, ticket.conversationId)
    await expect.poll(reason, patiently).toBe('provider_unavailable')
  })

  test('waits for a slow token address, and shares its answer with other sessions [CON-8]', async () => {
    const agentId = await createAgent()
    const asked = new Promise<ServerResponse>((answer) => void google.expect(askForToken, answer))
    const tickets = await Promise.all([1, 2, 3].map(() => service.createTicket({}, agentId)))
    const clients = await Promise.all(tickets.map(({ webSocketPath }) => service.connect(webSocketPath)))
    const response = await asked
    const [leaving, ...staying] = clients
    leaving?.socket.close(1000)
    await endedSession(service.client, tickets[0]?.conversationId ?? '')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(granted('ya29.slow').body))
    const providers = await Promise.all(staying.map(() => service.provider.accept()))
    for (const provider of providers) {
      expect(provider.request.headers.authorization).toBe('Bearer ya29.slow')
      serveGemini(provider)
    }
    for (const client of staying) {
      await client.inbox.takeType('session.updated')
      client.socket.close(1000)
    }
  })
})

test('a text model of Vertex AI answers at the endpoint in OpenAI’s form [CON-8]', async () => {
  const { client } = service
  const connection = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
    body: {
      ...{ name: 'Vertex', kind: 'google', models: { chat: 'gemini-2.5-flash' } },
      ...connectionTo(chat.origin),
    },
  })
  const agent = await client.call<{ id: string }>('POST', '/api/v1/Agent', {
    body: { name: 'Helper', systemMessage: 'Be brief.', connectionId: connection.body.id },
  })
  const ask = () =>
    client.call('POST', `/api/v1/Agent/${agent.body.id}/question`, { body: { question: 'Hello?' } })
  void google.expect(askForToken, granted('ya29.text'))
  chat.answer({ text: 'Good day.' })
  expect((await ask()).text).toContain('Good day.')
  const { path, headers, body } = await chat.nextRequest()
  expect(path).toBe(`${project}/endpoints/openapi/chat/completions`)
  expect(headers.authorization).toBe('Bearer ya29.text')
  expect(body.model).toBe('google/gemini-2.5-flash')

  // A rejected token is not used again.
  chat.answer({ status: 401, body: { error: { message: 'ya29.text is not valid' } } })
  const rejected = await ask()
  expect(rejected.text).toContain('The provider answered 401')
  expect(rejected.text).not.toContain('ya29.')
  void google.expect(askForToken, refused)
  expect((await ask()).text).toContain('it rejected the key of the service account')
})

describe('a test of a connection to Vertex AI', () => {
  const list = 'GET /v1beta1/publishers/google/models'
  const models = { body: { publisherModels: [{ name: 'publishers/google/models/gemini-2.5-flash' }] } }

  async function testConnection() {
    const { client } = service
    const { body } = await client.call<{ id: string }>('POST', '/api/v1/Connection', {
      body: {
        ...{ name: 'Vertex', kind: 'google', models: { chat: 'gemini-4-pro' } },
        ...connectionTo(google.url),
      },
    })
    const result = await client.call<ConnectionTest>('POST', `/api/v1/Connection/${body.id}/test`)
    for (const secret of [...account.secrets, 'ya29.']) expect(result.text).not.toContain(secret)
    return result.body
  }

  test('signs in and reads the models of Google [CON-6] [CON-8]', async () => {
    void google.expect(askForToken, granted('ya29.test'))
    const asked = google.expect(list, models)
    expect(await testConnection()).toMatchObject({
      ...{ ok: true, providerStatus: 200, missingModels: [] },
      detail: 'The provider accepts the key and lists 1 model.',
    })
    expect((await asked).headers.authorization).toBe('Bearer ya29.test')
  })

  test.each([
    [403, 'the service account may not use Vertex AI in this project. Grant it the role Vertex AI User'],
    [404, 'Check baseUrl. It ends in /projects/{project}/locations/{location}.'],
    [429, 'its rate limit or quota is exceeded'],
  ])('explains the status %i [CON-6] [CON-8]', async (status, detail) => {
    void google.expect(askForToken, granted('ya29.test'))
    void google.expect(list, { status })
    const result = await testConnection()
    expect(result).toMatchObject({
      ok: false,
      providerStatus: status,
      detail: expect.stringContaining(detail),
    })
  })

  test('explains a refused token [CON-6] [CON-8]', async () => {
    void google.expect(askForToken, refused)
    expect(await testConnection()).toMatchObject({
      ...{ ok: false, providerStatus: 400 },
      detail: expect.stringContaining('The key or its account was deleted or disabled'),
    })
  })
})

describe('a connection to Vertex AI', () => {
  const vertex = `https://us-central1-aiplatform.googleapis.com${project}`
  const keyWith = (fields: object) => JSON.stringify({ ...JSON.parse(account.key), ...fields })

  test.each<[string, string, () => object]>([
    [
      'baseUrl',
      'must end in /projects/',
      () => ({ baseUrl: 'https://us-central1-aiplatform.googleapis.com' }),
    ],
    ['baseUrl', 'must end in /projects/', () => ({ baseUrl: vertex.replace('/locations/us-central1', '') })],
    ['apiKey', 'must be the JSON key of a service account', () => ({ apiKey: 'AIza-plain' })],
    ['apiKey', 'must be the JSON key', () => ({ apiKey: keyWith({ type: 'authorized_user' }) })],
    ['apiKey', 'must be the JSON key', () => ({ apiKey: keyWith({ token_uri: 'file:///etc/passwd' }) })],
    ['apiKey', 'must be the JSON key', () => ({ apiKey: keyWith({ private_key: 'x' }) })],
    ['apiKey', 'token_uri: ', () => ({ apiKey: keyWith({ token_uri: 'http://169.254.169.254/token' }) })],
    ['apiKey', 'token_uri: ', () => ({ apiKey: keyWith({ token_uri: 'http://localhost:1/token' }) })],
    ['apiKey', 'without spaces', () => ({ baseUrl: null, apiKey: account.key })],
    ['apiKey', 'without spaces', () => ({ kind: 'openai', baseUrl: null, apiKey: account.key })],
  ])('names the field that is wrong: %s %s (%#) [CON-8] [OUT-1]', async (field, message, fieldsOf) => {
    const body = { name: 'Vertex', kind: 'google', baseUrl: vertex, apiKey: account.key, ...fieldsOf() }
    const { status, ...answer } = await service.client.call<Problem>('POST', '/api/v1/Connection', { body })
    expect([status, answer.body.errors?.[0]]).toEqual([
      400,
      { path: field, message: expect.stringContaining(message) },
    ])
    expect(answer.text).not.toContain('BEGIN PRIVATE KEY')
  })

  test('loses its key if its address moves [CON-2] [CON-8]', async () => {
    const body = { name: 'Vertex', kind: 'google', baseUrl: vertex, apiKey: account.key }
    const { client } = service
    const created = await client.call<{ id: string }>('POST', '/api/v1/Connection', { body })
    expect(created.body).toMatchObject({ hasApiKey: true })
    const path = `/api/v1/Connection/${created.body.id}`
    const europe = vertex.replaceAll('us-central1', 'europe-west4')
    const moved = await client.call('PATCH', path, { body: { baseUrl: europe } })
    expect(moved.body).toMatchObject({ hasApiKey: false, baseUrl: europe })
  })
})
