import type { Message, Page, Problem, Task } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { createResource } from '../../support/http/resources.js'
import { ask, askStreaming } from '../../support/questions/ask.js'
import {
  endedTurn,
  eventsIn,
  messagesSentTo,
  turnOf,
  useQuestionService,
} from '../../support/questions/question-service.js'
import { patiently } from '../../support/realtime/spoken-turns.js'
import { decide, refundTool } from '../../support/realtime/waiting-calls.js'

const service = useQuestionService()

const responseSchema = {
  type: 'object',
  properties: { total: { type: 'number' }, currency: { enum: ['EUR', 'USD'] } },
  required: ['total', 'currency'],
  additionalProperties: false,
}
const wanted = { question: 'What do I owe?', responseSchema }
const output = { total: 12.5, currency: 'EUR' }
const good = JSON.stringify(output)
const bad = '{"total":"12.5"}'
const answerCall = (text = good) => ({ id: 'call_answer', name: 'parley_answer', arguments: text })

describe('an answer with a response schema', () => {
  test('is a value in the output, and its JSON text is the message [ASK-18]', async () => {
    const agentId = await service.makeAgent({ systemMessage: 'You are a cashier.' })
    service.model.answer({ text: `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\`` })
    const { status, body } = await ask(service.running, agentId, wanted)
    expect(status).toBe(200)
    expect(body).toMatchObject({ status: 'completed', output, answer: good })
    expect(service.model.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: responseSchema },
    })
    expect(messagesSentTo(service.model)[0]?.content).toContain(JSON.stringify(responseSchema))
    service.model.answer({ text: 'You are welcome.' })
    const { conversationId } = body
    const next = await ask(service.running, agentId, { question: 'Thanks.', conversationId })
    expect(next.body).toMatchObject({ answer: 'You are welcome.', output: null })
    expect(messagesSentTo(service.model)[2]).toEqual({ role: 'assistant', content: good })
    expect(service.model.requests[1]?.body).not.toHaveProperty('response_format')
    expect(await turnOf(service.running, body)).toMatchObject({ output })
  })

  test('is streamed as text, and the last event contains the output [ASK-18]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: [good.slice(0, 5), good.slice(5)] })
    const stream = await askStreaming(service.running, agentId, wanted)
    await stream.ended
    const events = eventsIn(stream)
    const words = events.map((event) => (event.type === 'response.text.delta' ? event.data.delta : ''))
    expect(words.join('')).toBe(good)
    expect(events.at(-1)).toEqual({ type: 'response.completed', data: { chatbotId: agentId, output } })
  })

  test('is corrected once, and both attempts are counted [ASK-18]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: bad }, { text: good })
    const { body } = await ask(service.running, agentId, wanted)
    expect(body).toMatchObject({ output, answer: good, usage: { inputTokens: 20, outputTokens: 10 } })
    const [rejected, correction] = messagesSentTo(service.model).slice(-2)
    expect(rejected).toEqual({ role: 'assistant', content: bad })
    expect(correction?.content).toMatch(/required property 'currency'.*total must be number/)
  })

  test('fails with its own code if the correction does not match either [ASK-18]', async () => {
    const agentId = await service.makeAgent()
    const headers = { 'idempotency-key': 'a-structured-question' }
    service.model.answer({ text: 'Twelve euros.' }, { text: bad })
    const failed = await ask(service.running, agentId, wanted, headers)
    const problem = failed.body as unknown as Problem
    expect(failed.status).toBe(422)
    expect(problem.errorCode).toBe('ResponseSchemaNotMet')
    expect(problem.detail).toContain("required property 'currency'")
    service.model.answer({ text: good })
    expect((await ask(service.running, agentId, wanted, headers)).body).toMatchObject({ output })

    service.model.answer({ text: '' }, { text: '[]' })
    const stream = await askStreaming(service.running, agentId, wanted)
    await stream.ended
    expect(eventsIn(stream).at(-1)).toMatchObject({ data: { code: 'response_schema_not_met' } })
  })

  test('is not corrected if its budget is used up [ASK-18] [BUD-3]', async () => {
    const agentId = await service.makeAgent()
    const limit = { tokens: 12 }
    const budget = { name: 'Small', agentId, period: 'day', limit, onExceeded: 'end' }
    await createResource(service.running.client, '/api/v1/Budget', budget)
    service.model.answer({ text: bad })
    const { body } = await ask(service.running, agentId, wanted)
    expect(body).toMatchObject({ status: 'stopped', output: null, failure: expect.stringContaining('Small') })
  })

  test('comes after tools and their approvals [ASK-18]', async () => {
    const agentId = await service.makeAgent({ tools: [refundTool(service.tools)] })
    void service.tools.expect('POST /refund', { body: 'Paid.' })
    const refund = { id: 'call_a', name: 'refund', arguments: '{"amount": 5}' }
    service.model.answer({ calls: [refund] }, { text: 'Here it is.', calls: [answerCall()] })
    const waiting = await ask(service.running, agentId, wanted)
    expect(waiting.body).toMatchObject({ status: 'waiting_for_approval', output: null })
    await decide(service.running.client, waiting.body.conversationId, 'call_a', 'approve')
    const ended = await endedTurn(service.running, waiting.body)
    expect(ended).toMatchObject({ output, answer: good, toolInvocations: [{ content: 'Paid.' }] })
    expect(service.model.requests[0]?.body).toMatchObject({
      tool_choice: 'required',
      tools: [{ function: { name: 'refund' } }, { function: { name: 'parley_answer' } }],
    })
  })

  test('is requested as a tool call from a server that rejects the format [ASK-18]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ status: 400 }, { calls: [answerCall()] })
    const { body } = await ask(service.running, agentId, wanted)
    expect(body).toMatchObject({ output, toolInvocations: [] })
  })

  test('is the output of a task, whose attempts fail without it [ASK-18]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: bad }, { text: bad })
    const { client } = service.running
    const run = async (fields: object) => {
      const task = await createResource(client, '/api/v1/Task', { title: 'Sum it up', agentId, ...fields })
      const path = `/api/v1/Task/${task.made.id}`
      await client.call('POST', `${path}/run`)
      const read = async () => (await client.call<Task>('GET', path)).body
      await expect.poll(async () => (await read()).status, patiently).toMatch(/done|failed/)
      return read()
    }
    const failed = await run({ responseSchema, maxAttempts: 1 })
    expect(failed).toMatchObject({ status: 'failed', output: null, responseSchema })
    expect(failed.statusDetail).toContain('responseSchema')
    service.model.answer({ text: good })
    expect(await run({ responseSchema })).toMatchObject({ status: 'done', output, result: good })
  })

  test('is filled in by the built-in model, or fails with the reason [ASK-18]', async () => {
    const { client } = service.running
    const engine = { name: 'Engine', kind: 'embedded' }
    const { made } = await createResource(client, '/api/v1/Connection', engine)
    const agentId = await service.makeAgent({ connectionId: made.id })
    const properties = {
      guests: { type: 'integer' },
      room: { type: 'string', enum: ['small', 'large'] },
      urgent: { type: 'boolean' },
    }
    const required = ['guests', 'room', 'urgent']
    const question = 'We are 4 guests and would like the large room. It is urgent.'
    const schema = { type: 'object', properties, required, additionalProperties: false }
    const filled = await ask(service.running, agentId, { question, responseSchema: schema })
    expect(filled.body.output).toEqual({ guests: 4, room: 'large', urgent: true })
    const refused = await ask(service.running, agentId, { question: 'Hello.', responseSchema: schema })
    expect(refused.status).toBe(422)
  })

  test('keeps the rejected text in the conversation [ASK-18]', async () => {
    const agentId = await service.makeAgent()
    service.model.answer({ text: bad }, { text: bad })
    const stream = await askStreaming(service.running, agentId, wanted)
    const { conversationId } = (await stream.waitFor('turn.started')).data
    await stream.ended
    const path = `/api/v1/Conversation/${conversationId}/message`
    const { items } = (await service.running.client.call<Page<Message>>('GET', path)).body
    expect(items.find(({ role }) => role === 'assistant')).toMatchObject({
      content: `${bad}\n\n${bad}`,
      interrupted: true,
    })
  })
})

describe('a response schema', () => {
  test.each([
    ['a list', { type: 'array', items: {} }, 'responseSchema.type'],
    ['a reference', { type: 'object', properties: { a: { $ref: '#' } } }, 'responseSchema.properties.a'],
    [
      'an unknown type',
      { type: 'object', properties: { a: { type: 'text' } } },
      'responseSchema.properties.a.type',
    ],
    [
      'a wrong pattern',
      { type: 'object', properties: { a: { pattern: '(' } } },
      'responseSchema.properties.a.pattern',
    ],
    ['more than 16 KiB', { type: 'object', description: 'a'.repeat(16_384) }, 'responseSchema'],
    [
      'nine levels',
      Array.from({ length: 8 }).reduce<object>(
        (items) => ({ type: 'object', additionalProperties: items }),
        {},
      ),
      'responseSchema',
    ],
    [
      '201 properties',
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`p${at}`, {}])),
      },
      'responseSchema',
    ],
  ])('with %s is rejected [ASK-18]', async (_, schema, path) => {
    const agentId = await service.makeAgent()
    const { status, body } = await ask(service.running, agentId, { question: 'Now?', responseSchema: schema })
    expect(status).toBe(400)
    expect((body as unknown as Problem).errors?.[0]?.path).toBe(path)
  })
})
