import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { customEventsIn, responseCreated } from '../../support/realtime/spoken-turns.js'
import { openToolSession, takeOutput } from '../../support/realtime/tool-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'

let running: RealtimeTestService
let tools: ScriptedHttpServer

beforeAll(async () => {
  running = await startRealtimeService()
  tools = await startScriptedHttpServer()
})

afterEach(() => tools.verify())

afterAll(async () => {
  await running.close()
  await tools.close()
})

const item = {
  id: 'item_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'weather',
  arguments: '{"city":"Paris"}',
}
const { name: _name, ...namelessItem } = item
const { call_id: _callId, ...itemWithoutCall } = item

const added = {
  type: 'response.output_item.added',
  response_id: 'r',
  item: { ...item, status: 'in_progress', arguments: '' },
}
const itemDone = { type: 'response.output_item.done', response_id: 'r', item }
const spelled = {
  type: 'response.function_call_arguments.done',
  response_id: 'r',
  item_id: 'item_1',
  call_id: 'call_1',
  name: 'weather',
  arguments: item.arguments,
}
const { name: _spelledName, ...namelessArguments } = spelled
const { call_id: _spelledCallId, ...argumentsWithoutCall } = spelled
const { call_id: _bareCallId, ...bareArguments } = namelessArguments
const done = { type: 'response.done', response: { id: 'r', status: 'completed', output: [item] } }
const emptyDone = { type: 'response.done', response: { id: 'r', status: 'completed', output: [] } }
const echo = { type: 'conversation.item.added', item }
const echoDone = { type: 'conversation.item.done', item }

const announcements: readonly (readonly [string, readonly object[]])[] = [
  ['all of its events', [added, echo, spelled, itemDone, echoDone, done]],
  ['all of its events, each twice', [added, added, spelled, spelled, itemDone, itemDone, done, done]],
  ['its complete arguments event', [spelled, emptyDone]],
  ['arguments without a name', [added, namelessArguments, emptyDone]],
  ['arguments without a call id', [added, argumentsWithoutCall, emptyDone]],
  ['arguments without a name and a call id', [added, bareArguments, emptyDone]],
  ['arguments without a name before any other event', [namelessArguments, itemDone, done]],
  ['only its finished item', [itemDone, emptyDone]],
  ['a finished item without a name', [added, { ...itemDone, item: namelessItem }, emptyDone]],
  ['a finished item without a call id', [added, { ...itemDone, item: itemWithoutCall }, emptyDone]],
  ['its finished item before its arguments', [itemDone, spelled, done]],
  ['only the end of its response', [done]],
  ['the end of its response after its start', [added, done]],
  ['an event whose type comes last', [{ response_id: 'r', item, type: 'response.output_item.done' }, done]],
]

describe('an announced call', () => {
  test.each(announcements)(
    'runs once and is answered once if it is announced by %s [TOOL-1]',
    async (_, events) => {
      const session = await openWorker()
      void tools.expect('GET /weather/Paris', { body: { sky: 'blue' } })
      session.provider.send(responseCreated('r'))
      for (const event of events) session.provider.send(event)
      expect(await takeOutput(session.provider)).toEqual({ callId: 'call_1', output: '{"sky":"blue"}' })
      await session.client.inbox.takeType('response.function_invocation.done')
      expect(await requestsAfterAll(session)).toEqual(['output call_1', 'create'])
      expect(customEventsIn(session.client)).toMatchObject([
        { type: 'response.function_invocation.start', data: { functionName: 'weather', callId: 'call_1' } },
        { type: 'response.function_invocation.done', data: { callId: 'call_1', status: 1 } },
      ])
      session.client.socket.close()
    },
  )

  test('runs once and is answered once if it is announced again after its output [TOOL-1]', async () => {
    const session = await openWorker()
    void tools.expect('GET /weather/Paris', { body: 'blue' })
    for (const event of [responseCreated('r'), added, spelled, itemDone, done]) session.provider.send(event)
    await takeOutput(session.provider)
    await session.client.inbox.takeType('response.function_invocation.done')
    for (const event of [spelled, itemDone, done]) session.provider.send(event)
    expect(await requestsAfterAll(session)).toEqual(['output call_1', 'create'])
    session.client.socket.close()
  })
})

describe('an event that announces no call', () => {
  const nothing: readonly (readonly [string, object])[] = [
    ['an item of another type', { ...itemDone, item: { ...item, type: 'message' } }],
    ['an item that is only added to the conversation', echo],
    ['an item that the provider retrieved', { type: 'conversation.item.retrieved', item }],
    ['an item without a name', { ...itemDone, item: namelessItem }],
    ['an item that is not an object', { ...itemDone, item: [item] }],
    ['arguments of an unnamed item', bareArguments],
    ['a delta of arguments', { ...spelled, type: 'response.function_call_arguments.delta' }],
  ]

  test.each(nothing)('makes no call: %s', async (_, event) => {
    const session = await openWorker()
    session.provider.send(event)
    expect(await requestsAfterAll(session)).toEqual([])
    expect(customEventsIn(session.client)).toEqual([])
    expect(tools.requests).toEqual([])
    session.client.socket.close()
  })
})

const openWorker = () =>
  openToolSession(running, {
    tools: [
      {
        kind: 'http',
        name: 'weather',
        description: 'Tells the weather in a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } } },
        request: { method: 'GET', url: `${tools.url}/weather/{city}` },
      },
    ],
  })
