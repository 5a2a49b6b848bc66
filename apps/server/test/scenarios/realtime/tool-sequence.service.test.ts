import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type JobSessions, jobCall, mapCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { responseCreated, responseDone } from '../../support/realtime/spoken-turns.js'
import { beginCalls, endResponse, playCalls, takeOutput } from '../../support/realtime/tool-calls.js'

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions()
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

const a = jobCall('a')
const b = jobCall('b')
const c = jobCall('c')

describe('the response request of the service', () => {
  test('follows the last output of parallel calls, whatever order they finish in [TOOL-3]', async () => {
    const session = await jobs.open()
    const held = [jobs.hold('a'), jobs.hold('b'), jobs.hold('c')] as const
    playCalls(session.provider, 'r1', [a, b, c])
    for (const [place, name] of [
      [2, 'c'],
      [0, 'a'],
    ] as const) {
      await held[place].give('done')
      expect((await takeOutput(session.provider)).callId).toBe(name)
    }
    expect(await requestsAfterAll(session)).toEqual(['output c', 'output a'])
    await held[1].give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output c', 'output a', 'output b', 'create'])
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toHaveLength(4)
  })

  test('follows the end of the response that made the call if the output came earlier [TOOL-3]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [a])
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    endResponse(session.provider, 'r1', [a])
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })

  test('is sent once for the calls of each response [TOOL-3]', async () => {
    const session = await jobs.open()
    for (const [response, call] of [
      ['r1', a],
      ['r2', b],
      ['r3', c],
    ] as const) {
      const held = jobs.hold(call.callId)
      playCalls(session.provider, response, [call])
      await held.give('done')
      await takeOutput(session.provider)
      await session.provider.inbox.takeType('response.create')
    }
    expect(await requestsAfterAll(session)).toEqual(
      ['a', 'b', 'c'].flatMap((name) => [`output ${name}`, 'create']),
    )
  })

  test('is sent once even if the provider echoes nothing [TOOL-3]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    const item = { id: 'i', type: 'function_call', call_id: 'a', name: 'job', arguments: a.arguments }
    session.provider.send(responseCreated('r1'))
    session.provider.send({ type: 'response.output_item.done', response_id: 'r1', item })
    session.provider.send(responseDone('r1'))
    await held.give('done')
    await session.provider.inbox.takeType('response.create')
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })
})

describe('a response that the service did not request', () => {
  test("delays the service's request if it was created before the output arrived [TOOL-3]", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [a])
    await held.called
    session.provider.send(responseCreated('r2'))
    expect(await requestsAfterAll(session)).toEqual([])
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })

  test("replaces the service's request if it was created after the output arrived [TOOL-3]", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [a])
    await held.give('done')
    await takeOutput(session.provider)
    session.provider.send(responseCreated('r2'))
    endResponse(session.provider, 'r1', [a])
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a'])
  })

  test("replaces the service's request if the client requested it after the output arrived [TOOL-3]", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [a])
    await held.give('done')
    await takeOutput(session.provider)
    session.client.send({ type: 'response.create' })
    await requestsAfterAll(session)
    endResponse(session.provider, 'r1', [a])
    expect(await requestsAfterAll(session)).toEqual(['output a', 'client create'])
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'client create'])
  })

  test("is followed by the service's request if it has read only one of two outputs [TOOL-3]", async () => {
    const session = await jobs.open()
    const [first, second] = [jobs.hold('a'), jobs.hold('b')]
    playCalls(session.provider, 'r1', [a, b])
    await first.give('done')
    await takeOutput(session.provider)
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    await second.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a', 'output b', 'create'])
  })

  test("neither delays nor replaces the service's request if it is out of band [TOOL-3]", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [a])
    await held.give('done')
    await takeOutput(session.provider)
    session.provider.send({ type: 'response.created', response: { id: 'aside', conversation_id: null } })
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    endResponse(session.provider, 'r1', [a])
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })
})

describe('a response request of the client', () => {
  test.each<[string, object, readonly object[]]>([
    [
      'for an out-of-band response',
      { type: 'response.create', response: { conversation: 'none' } },
      [{ type: 'response.created', response: { id: 'aside', conversation_id: null } }, responseDone('aside')],
    ],
    [
      'that was rejected',
      { type: 'response.create', event_id: 'mine', response: { voice: 7 } },
      [{ type: 'error', error: { code: 'invalid_type', message: 'No.', event_id: 'mine' } }],
    ],
    [
      'that was rejected by an error without an event id',
      { type: 'response.create', response: { voice: 7 } },
      [{ type: 'error', error: { code: 'invalid_type', message: 'No.', event_id: null } }],
    ],
  ])("does not suppress the service's request if it is one %s", async (_, request, answers) => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [a])
    await held.called
    session.client.send(request)
    await session.provider.inbox.takeType('response.create')
    for (const answer of answers) session.provider.send(answer)
    expect(await requestsAfterAll(session)).toEqual(['client create'])
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['client create', 'output a', 'create'])
  })
})

describe('a cancelled response', () => {
  test('is not followed by another one until a new response has started', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [a])
    endResponse(session.provider, 'r1', [a], 'cancelled')
    await held.called
    expect(await requestsAfterAll(session)).toEqual([])
    session.provider.send(responseCreated('r2'))
    expect(await requestsAfterAll(session)).toEqual([])
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })

  test('leaves its output to the next response if that comes later', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [a])
    endResponse(session.provider, 'r1', [a], 'cancelled')
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a'])
  })
})

describe('a response that calls a client tool as well', () => {
  const mapOutput =
    '{ "type":"conversation.item.create", "item":{"type":"function_call_output","call_id":"map","output":"shown"} }'
  const create = '{ "type":"response.create" }'

  test("is followed by the service's request if the client's request came before the service's output", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [a, mapCall])
    await held.called
    session.client.send(mapOutput)
    session.client.send(create)
    expect((await takeOutput(session.provider)).callId).toBe('map')
    expect(await requestsAfterAll(session)).toEqual(['client output map', 'client create'])
    session.provider.send(responseCreated('r2'))
    expect(await requestsAfterAll(session)).toHaveLength(2)
    await held.give('done')
    expect((await takeOutput(session.provider)).callId).toBe('a')
    expect(await requestsAfterAll(session)).toEqual(['client output map', 'client create', 'output a'])
    session.provider.send(responseDone('r2'))
    expect((await requestsAfterAll(session)).slice(3)).toEqual(['create'])
  })

  test("is not followed by the service's request if the client's request came after the service's output", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    playCalls(session.provider, 'r1', [mapCall, a])
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    session.client.send(mapOutput)
    session.client.send(create)
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'client output map', 'client create'])
  })

  test("is followed by the service's request if the client's call was cut off, because it stays unanswered", async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    const cutOff = { id: 'i', type: 'function_call', call_id: 'map', name: 'show_map', status: 'incomplete' }
    beginCalls(session.provider, 'r1', [a])
    session.provider.send({ type: 'response.output_item.done', response_id: 'r1', item: cutOff })
    session.provider.send(responseDone('r1', { status: 'incomplete', output: [cutOff] }))
    await held.give('done')
    await takeOutput(session.provider)
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })
})
