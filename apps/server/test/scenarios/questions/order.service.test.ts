import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnsweringModel, startAnsweringModel } from '../../support/questions/answering-model.js'
import { ask, askStreaming } from '../../support/questions/ask.js'
import { type Instances, joinInstance, startInstances } from '../../support/questions/instances.js'
import { hold } from '../../support/questions/received-events.js'
import { messagesOf } from '../../support/realtime/spoken-turns.js'
import { makeTextAgent } from '../../support/realtime/text-agents.js'
import type { RunningService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const gate = hold()
let instances: Instances
let model: AnsweringModel
let agentId: string

beforeAll(async () => {
  instances = await startInstances()
  model = await startAnsweringModel((question) =>
    question === 'Wait?' ? [gate.released, 'Answer to Wait?'] : ['Answer ', 'to ', question],
  )
  agentId = await makeTextAgent(instances.one, model, { name: 'Concierge' })
})

afterAll(async () => {
  await instances.close()
  await model.close()
})

/** Asks this many questions at once on one conversation, alternating between the instances. */
async function askAtOnce(count: number, services: readonly RunningService[]): Promise<string> {
  const first = await ask(instances.one, agentId, { question: 'First?' })
  const { conversationId } = first.body
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const service = services[index % services.length] ?? instances.one
      return ask(service, agentId, { question: `Question ${index}?`, conversationId })
    }),
  )
  for (const [index, { status, body }] of answers.entries())
    expect([status, body.answer]).toEqual([200, `Answer to Question ${index}?`])
  return conversationId
}

const places = [
  ['one instance', () => [instances.one]],
  ['two instances', () => [instances.one, instances.other]],
] as const

describe.each(places)('concurrent questions on %s', (_, services) => {
  test.each([2, 10])('concurrent questions are answered one after the other: %i [ASK-6]', async (count) => {
    const before = model.requests.length
    const conversationId = await askAtOnce(count, services())
    const messages = await messagesOf(instances.one.client, conversationId)
    expect(messages).toHaveLength(2 * (count + 1))
    for (const [index, { role, content }] of messages.entries()) {
      expect(role).toBe(index % 2 === 0 ? 'user' : 'assistant')
      if (role === 'assistant') expect(content).toBe(`Answer to ${messages[index - 1]?.content}`)
    }
    // Each question was asked with everything before it, and nothing that came later.
    const prompts = model.requests
      .slice(before)
      .map(({ messages: given }) => given.map(({ content }) => content))
    const contents = messages.map(({ content }) => content)
    expect(prompts).toEqual(prompts.map((_one, index) => contents.slice(0, 2 * index + 1)))
  })
})

test("a question that was stopped while queued keeps its place, whatever its instance's clock says [ASK-6]", async () => {
  const skewed = await joinInstance(instances.one, instances.postgres.url, { clock: makeTestClock() })
  const first = await askStreaming(instances.one, agentId, { question: 'Wait?' })
  const { data: turn } = await first.waitFor('turn.started')
  const { conversationId } = turn
  const stopped = await askStreaming(skewed, agentId, { question: 'Stopped?', conversationId })
  const { turnId } = (await stopped.waitFor('turn.started')).data
  await skewed.client.call('DELETE', `/api/v1/Conversation/${conversationId}/turn/${turnId}`)
  await stopped.ended
  gate.release()
  await first.ended
  await ask(skewed, agentId, { question: 'Last?', conversationId })
  expect((await messagesOf(instances.one.client, conversationId)).map(({ content }) => content)).toEqual([
    'Wait?',
    'Stopped?',
    '',
    'Answer to Wait?',
    'Last?',
    'Answer to Last?',
  ])
  await skewed.close()
})

test('questions of one conversation are answered in the order they were accepted [ASK-6]', async () => {
  const { body } = await ask(instances.one, agentId, { question: 'First?' })
  const { conversationId } = body
  const questions = Array.from({ length: 6 }, (_, index) => `Number ${index}?`)
  // Each question is accepted before the next is sent. The order is the same whether or not earlier ones are
  // answered.
  const asked: Promise<unknown>[] = []
  for (const [index, question] of questions.entries()) {
    const service = index % 2 === 0 ? instances.one : instances.other
    const headers = {
      accept: 'text/event-stream',
      'x-api-key': service.apiKey,
      'x-org-id': service.organizationId,
    }
    const response = await fetch(`${service.url}/api/v1/Agent/${agentId}/question`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ question, conversationId }),
    })
    asked.push(response.text())
  }
  await Promise.all(asked)
  const messages = await messagesOf(instances.one.client, conversationId)
  expect(messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
    'First?',
    ...questions,
  ])
})
