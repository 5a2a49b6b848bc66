import type { Agent, Connection } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCipher } from '#server/adapters/system/cipher.js'
import { chatTargetOf } from '#server/domain/connections/chat-target.js'
import { addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'

const secret = 'a secret for tests that is long enough'
const cipher = makeCipher(secret)

let running: RunningService

beforeAll(async () => {
  running = await startService({ env: { PARLEY_SECRET: secret } })
})

afterAll(() => running.close())

async function create<Resource>(type: string, body: object): Promise<Resource> {
  const answer = await running.client.call<Resource>('POST', `/api/v1/${type}`, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** Returns the target of an agent that uses this connection. */
async function targetOf(connection: object, agent: object = {}) {
  const { id } = await create<Connection>('Connection', { name: 'Ours', kind: 'openai', ...connection })
  return targetOfAgent({ connectionId: id, ...agent })
}

async function targetOfAgent(fields: object) {
  const { id } = await create<Agent>('Agent', { name: 'Agent', ...fields })
  const { stores } = running.service.database
  const record = await stores.agents.find(running.organizationId, id)
  if (record === null) throw new Error('The agent is not there.')
  return chatTargetOf(cipher, stores, record)
}

const found = (target: object) => ({
  ok: true,
  target: { organizationId: running.organizationId, connectionId: expect.any(String), ...target },
})

describe('the text model of an agent', () => {
  test("is the connection's model, with the key and address of the connection", async () => {
    const connection = {
      kind: 'openai-compatible',
      baseUrl: 'https://models.example.com/v1',
      apiKey: 'sk-stored',
      models: { chat: 'a-model' },
    }
    expect(await targetOf(connection)).toEqual(
      found({
        kind: 'openai-compatible',
        baseUrl: 'https://models.example.com/v1',
        apiKey: 'sk-stored',
        model: 'a-model',
        isFromEnvironment: false,
      }),
    )
  })

  test('is the model that the agent names, if it names one', async () => {
    const target = await targetOf({ models: { chat: 'a-model' } }, { model: 'another-model' })
    const shared = { kind: 'openai', baseUrl: null, apiKey: null, isFromEnvironment: false }
    expect(target).toEqual(found({ ...shared, model: 'another-model' }))
  })

  test('is the model of the default connection if the agent names no connection', async () => {
    const models = { chat: 'the-default-model' }
    const fallback = { name: 'Default', kind: 'anthropic', isDefault: true, models }
    await create<Connection>('Connection', fallback)
    expect(await targetOfAgent({})).toMatchObject(found({ kind: 'anthropic', model: 'the-default-model' }))
  })

  test('is null if there is no connection', async () => {
    const { organizationId } = await addOrganization(running)
    const agent = { organizationId, connectionId: null, model: 'a-model' }
    expect(await chatTargetOf(cipher, running.service.database.stores, agent)).toEqual({
      ok: false,
      problem: 'The agent has no connection, and the organization has no default connection.',
    })
  })

  test('is null if an administrator has disabled the connection', async () => {
    expect(await targetOf({ governanceDisabled: true, models: { chat: 'a-model' } })).toEqual({
      ok: false,
      problem: 'An administrator has disabled the connection Ours.',
    })
  })

  test('is the engine itself if the connection is the built-in one', async () => {
    expect(await targetOf({ kind: 'embedded', baseUrl: null })).toMatchObject(
      found({ kind: 'embedded', model: 'parley-engine' }),
    )
  })

  test('is the model of the connection that uses the built-in engine as its voice', async () => {
    const other = await create<Connection>('Connection', {
      name: 'Text',
      kind: 'anthropic',
      apiKey: 'sk-text',
      models: { chat: 'a-model' },
    })
    const engine = { kind: 'embedded', models: { chat: 'never-used' }, chatConnectionId: other.id }
    const target = { kind: 'anthropic', baseUrl: null, apiKey: 'sk-text', isFromEnvironment: false }
    expect(await targetOf(engine)).toEqual(found({ ...target, model: 'a-model' }))
    expect(await targetOf(engine, { model: 'another' })).toEqual(found({ ...target, model: 'another' }))
    expect(await targetOf({ ...engine, governanceDisabled: true })).toEqual({
      ok: false,
      problem: 'An administrator has disabled the connection Ours.',
    })
  })

  test.each([
    [{ governanceDisabled: true }, 'An administrator has disabled the connection Text.'],
    [{ models: {} }, "Set the connection's models.chat to one of Anthropic's models."],
  ])('is null if that connection has no text model: %o', async (fields, problem) => {
    const body = { name: 'Text', kind: 'anthropic', models: { chat: 'a-model' }, ...fields }
    const other = await create<Connection>('Connection', body)
    expect(await targetOf({ kind: 'embedded', chatConnectionId: other.id })).toEqual({
      ok: false,
      problem: expect.stringContaining(problem),
    })
  })

  test.each([
    ['openai', "Set the connection's models.chat"],
    ['azure-openai', 'the name of a deployment'],
    ['openai-compatible', 'a model that the server offers'],
    ['anthropic', "one of Anthropic's models"],
  ])('is null if neither agent nor connection names a model: kind %s', async (kind, words) => {
    const baseUrl = /azure|compatible/.test(kind) ? 'https://models.example.com' : null
    expect(await targetOf({ kind, baseUrl })).toEqual({ ok: false, problem: expect.stringContaining(words) })
  })
})
