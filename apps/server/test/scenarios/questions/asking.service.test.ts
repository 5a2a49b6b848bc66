import type { Problem, Scope } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readRecords } from '../../support/audit/audit-fixture.js'
import { addApiKey, addOrganization } from '../../support/organizations.js'
import { ask } from '../../support/questions/ask.js'
import { messagesSentTo, turnOf } from '../../support/questions/question-service.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import { type ScriptedChatServer, startScriptedChatServer } from '../../support/scripted-chat-server.js'
import { type RunningService, startService } from '../../support/start-service.js'

let service: RunningService
let model: ScriptedChatServer
let agentId: string

beforeAll(async () => {
  service = await startService({ env: { PARLEY_ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } })
  model = await startScriptedChatServer()
  agentId = await makeTextAgent(service, model, { name: 'Concierge', systemMessage: 'Be brief.' })
})

afterEach(() => model.verify())

afterAll(async () => {
  await service.close()
  await model.close()
})

async function answered(body: {
  question: string
  conversationId?: string
  additionalInstructions?: string
}) {
  model.answer({ text: 'Yes.', usage: { inputTokens: 12, outputTokens: 3, cachedInputTokens: 8 } })
  const answer = await ask(service, agentId, body)
  expect(answer.status).toBe(200)
  return answer.body
}

describe('a question', () => {
  test('continues a conversation of its agent [ASK-1]', async () => {
    const first = await answered({ question: 'Are you there?' })
    const second = await answered({ question: 'Still?', conversationId: first.conversationId })
    expect(second.conversationId).toBe(first.conversationId)
    expect(second.turnId).not.toBe(first.turnId)
    expect(messagesSentTo(model)).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Are you there?' },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: 'Still?' },
    ])
  })

  test('can carry instructions that apply to itself only [ASK-1]', async () => {
    const first = await answered({ question: 'One?', additionalInstructions: 'Answer in French.' })
    expect(messagesSentTo(model)[0]).toEqual({ role: 'system', content: 'Be brief.\n\nAnswer in French.' })
    await answered({ question: 'Two?', conversationId: first.conversationId })
    expect(messagesSentTo(model)[0]).toEqual({ role: 'system', content: 'Be brief.' })
  })

  test('is rejected for a conversation of another agent [ASK-1]', async () => {
    const { conversationId } = await answered({ question: 'Are you there?' })
    const another = await makeTextAgent(service, model, { name: 'Another' })
    const { status, body } = await ask(service, another, { question: 'And you?', conversationId })
    expect(status).toBe(400)
    expect(body).toMatchObject({ errorCode: 'InvalidRequest', errors: [{ path: 'conversationId' }] })
  })

  test('returns 404 for an unknown or foreign agent or conversation [ASK-1]', async () => {
    const { conversationId } = await answered({ question: 'Are you there?' })
    const stranger = await addOrganization(service)
    const foreign = service.client.as(stranger)
    const elsewhere = await makeTextAgent({ client: foreign }, model, { name: 'Stranger' })
    const question = 'Who?'
    const refused = [
      await ask(service, uuid(), { question }),
      await ask(service, elsewhere, { question }),
      await ask(service, agentId, { question, conversationId: uuid() }),
      await foreign.call('POST', `/api/v1/Agent/${agentId}/question`, { body: { question } }),
      await foreign.call('POST', `/api/v1/Agent/${elsewhere}/question`, {
        body: { question, conversationId },
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  })

  test('is rejected with advice if the agent has no text model [ASK-1]', async () => {
    const connection = {
      name: 'Voice only',
      kind: 'openai-compatible',
      baseUrl: model.baseUrl,
      apiKey: 'sk-x',
    }
    const made = await service.client.call<{ id: string }>('POST', '/api/v1/Connection', { body: connection })
    const agent = { name: 'Speaker', connectionId: made.body.id }
    const { body } = await service.client.call<{ id: string }>('POST', '/api/v1/Agent', { body: agent })
    const refused = await service.client.call<Problem>('POST', `/api/v1/Agent/${body.id}/question`, {
      body: { question: 'Hello?' },
    })
    expect([refused.status, refused.body.errorCode]).toEqual([409, 'Conflict'])
    expect(refused.body.detail).not.toBe('')
  })

  test('creates nothing if it is rejected [ASK-1]', async () => {
    const before = await service.client.call<{ totalCount: number }>('GET', '/api/v1/Conversation')
    await ask(service, agentId, { question: ' ' })
    await ask(service, uuid(), { question: 'Hello?' })
    const after = await service.client.call<{ totalCount: number }>('GET', '/api/v1/Conversation')
    expect(after.body.totalCount).toBe(before.body.totalCount)
  })
})

test('the response contains its usage, which is stored with the turn [ASK-11]', async () => {
  const body = await answered({ question: 'How much?' })
  const usage = { inputTokens: 12, outputTokens: 3, cachedInputTokens: 8 }
  expect(body.usage).toEqual(usage)
  expect(await turnOf(service, body)).toEqual(body)
})

describe('an API key', () => {
  const question = { body: { question: 'May I?' } }
  const asks = async (scopes: Scope[]) => {
    const apiKey = await addApiKey(service.service.database.stores, service.organizationId, scopes)
    return service.client.as({ apiKey }).call('POST', `/api/v1/Agent/${agentId}/question`, question)
  }

  test('may ask with only the scope question:ask [ACC-2]', async () => {
    model.answer({ text: 'Yes.' })
    expect((await asks(['question:ask'])).status).toBe(200)
  })

  test('may not ask with every other scope [ACC-2]', async () => {
    expect((await asks(['agent:write', 'conversation:write', 'org:manage', 'realtime:create'])).status).toBe(
      403,
    )
  })
})

test('the audit log records who asked, and nothing of the question [AUD-1]', async () => {
  const { turnId, conversationId } = await answered({ question: 'Between us?' })
  const [record] = await readRecords(service.client, '&Action=question.ask')
  expect(record).toMatchObject({
    resourceType: 'Turn',
    resourceId: turnId,
    details: { agentId, conversationId },
    actor: { type: 'api_key' },
  })
  expect(JSON.stringify(record)).not.toContain('Between us')
})
