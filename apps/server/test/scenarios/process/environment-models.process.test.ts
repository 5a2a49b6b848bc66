import type { Agent, Connection, Page, QuestionAnswer } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, makeApiClient } from '../../support/api-client.js'
import { announcedStart } from '../../support/process/announced-start.js'
import {
  bootstrap,
  cleanUp,
  credentials,
  newPostgres,
  slow,
  startParley,
} from '../../support/process/parley-process.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { startService } from '../../support/start-service.js'

let server: ScriptedChatServer

beforeAll(async () => {
  server = await startScriptedChatServer()
})

afterEach(() => server.verify())

afterAll(async () => {
  await cleanUp()
  await server.close()
})

const modelList = (...ids: string[]) => ({ status: 200, body: { data: ids.map((id) => ({ id })) } })

interface Seen {
  readonly client: ApiClient
  readonly screen: string
  readonly connections: readonly Connection[]
}

/** Starts with these settings, runs the checks and stops again. */
async function during(
  env: Readonly<Record<string, string>>,
  look: (seen: Seen) => Promise<void>,
): Promise<void> {
  const running = await startService({ env: { ...bootstrap, ...env } })
  const { client } = running
  const screen = await announcedStart(running)
  await look({ client, screen, connections: await listConnections(client) })
  await running.close()
}

/** Does the same in a separate process. */
async function duringProcess(
  env: Readonly<Record<string, string>>,
  look: (seen: Seen) => Promise<void>,
): Promise<void> {
  const parley = await startParley({ env: { ...bootstrap, ...env } })
  const client = makeApiClient(await parley.ready(), credentials)
  const connections = await listConnections(client)
  await look({ client, screen: parley.stderr(), connections })
  parley.signal('SIGTERM')
  expect(await parley.ended).toEqual({ code: 0, signal: null })
}

const listConnections = async (client: ApiClient) =>
  (await client.call<Page<Connection>>('GET', '/api/v1/Connection')).body.items

const defaultOf = (connections: readonly Connection[]) => connections.find(({ isDefault }) => isDefault)

/** Asks the first example agent, which names no connection. */
async function ask(client: ApiClient, question: string): Promise<QuestionAnswer> {
  const agents = await client.call<Page<Agent>>('GET', '/api/v1/Agent?Search=Front+desk')
  const path = `/api/v1/Agent/${agents.body.items[0]?.id}/question`
  const { status, body } = await client.call<QuestionAnswer>('POST', path, { body: { question } })
  expect(status).toBe(200)
  return body
}

describe('real models from the environment', slow, () => {
  test('a start with ANTHROPIC_API_KEY uses it with the engine for speech, and the start screen shows it [START-2]', async () => {
    const env = {
      ...(await newPostgres()),
      ANTHROPIC_API_KEY: 'sk-ant-operator',
      ANTHROPIC_BASE_URL: server.origin,
    }
    await duringProcess(env, async ({ client, screen, connections }) => {
      const engine = defaultOf(connections)
      expect(engine).toMatchObject({ kind: 'embedded', realtimeEnabled: true })
      const anthropic = connections.find(({ id }) => id === engine?.chatConnectionId)
      expect(anthropic).toMatchObject({
        name: 'Anthropic (from the environment)',
        kind: 'anthropic',
        hasApiKey: true,
        models: { chat: 'claude-sonnet-4-5' },
      })
      expect(screen).toMatch(
        /^ +Model +claude-sonnet-4-5 at Anthropic, .*\(ANTHROPIC_API_KEY\), with the built-in engine/m,
      )
      expect(screen).toContain('PARLEY_CHAT_MODEL')
      expect(screen).not.toContain(env.ANTHROPIC_API_KEY)

      server.answer({ text: 'Good day.' })
      await ask(client, 'Hello?')
      const request = await server.nextRequest()
      expect(request).toMatchObject({ path: '/v1/messages', body: { model: 'claude-sonnet-4-5' } })
      expect(request.headers['x-api-key']).toBe(env.ANTHROPIC_API_KEY)
    })
  })

  test('a start with PARLEY_CHAT_URL uses the first listed model, then the configured one [START-3]', async () => {
    const env = { ...(await newPostgres()), PARLEY_CHAT_URL: server.baseUrl }
    server.answer(modelList('nomic-embed-text', 'tiny-model', 'other-model'))
    await during(env, async ({ client, screen, connections }) => {
      await server.nextRequest()
      expect(screen).toContain(
        `tiny-model at an OpenAI-compatible server, ${server.baseUrl} (PARLEY_CHAT_URL)`,
      )
      expect(defaultOf(connections)).toMatchObject({ kind: 'embedded' })
      server.answer({ text: 'Good day.' })
      await ask(client, 'Hello?')
      expect((await server.nextRequest()).body).toMatchObject({ model: 'tiny-model' })
    })
    await during(
      { ...env, PARLEY_CHAT_MODEL: 'named-model', PARLEY_CHAT_API_KEY: 'k' },
      async ({ client }) => {
        server.answer({ text: 'Good day.' })
        await ask(client, 'Hello?')
        const request = await server.nextRequest()
        expect(request.body).toMatchObject({ model: 'named-model' })
        expect(request.headers.authorization).toBe('Bearer k')
      },
    )
    // Another provider takes over the connection and the default. A default chosen by a person stays.
    await during({ ...env, PARLEY_CHAT_URL: '', OPENAI_API_KEY: 'sk-1' }, async ({ client, connections }) => {
      expect(defaultOf(connections)).toMatchObject({ name: 'OpenAI (from the environment)', kind: 'openai' })
      expect(connections).toHaveLength(3)
      const chosen = { name: 'Chosen', kind: 'openai', apiKey: 'sk-own', isDefault: true }
      expect((await client.call('POST', '/api/v1/Connection', { body: chosen })).status).toBe(201)
    })
    await during({ ...env, PARLEY_CHAT_MODEL: 'named-model' }, async ({ screen, connections }) => {
      expect(defaultOf(connections)).toMatchObject({ name: 'Chosen' })
      expect(screen).toContain('from the default connection: Chosen')
    })
  })

  test('a start with OLLAMA_HOST uses it only if a model answers there, and the engine answers again once it is gone [START-5] [START-4]', async () => {
    const env = { ...(await newPostgres()), OLLAMA_HOST: server.origin }
    server.answer({ status: 404, body: 'nothing here' })
    await during(env, async ({ screen, connections }) => {
      expect(connections).toMatchObject([{ name: 'Built-in engine', isDefault: true }])
      expect(screen).toContain('demo model (built in, offline')
      expect(screen).toContain(`OLLAMA_HOST is set, but ${server.baseUrl} lists no models`)
      expect(screen).toContain('set OPENAI_API_KEY, ANTHROPIC_API_KEY or PARLEY_CHAT_URL')
    })
    server.answer(modelList('qwen3'))
    await during(env, async ({ screen, connections }) => {
      expect(screen).toContain('qwen3 at an OpenAI-compatible server')
      expect(defaultOf(connections)).toMatchObject({ kind: 'embedded', chatConnectionId: expect.any(String) })
    })
    expect((await server.nextRequest()).path).toBe('/v1/models')
    const { OLLAMA_HOST: _, ...without } = env
    await during(without, async ({ client, screen, connections }) => {
      expect(connections, 'START-5').toMatchObject([{ name: 'Built-in engine', isDefault: true }])
      expect(screen).toContain('demo model (built in, offline')
      expect((await ask(client, 'What is 17 times 23?')).answer).toContain('391')
    })
  })
})
