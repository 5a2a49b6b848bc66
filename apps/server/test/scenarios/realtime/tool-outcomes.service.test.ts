import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { customEventsIn, endedSession, messagesOf } from '../../support/realtime/spoken-turns.js'
import type { ToolSession } from '../../support/realtime/tool-calls.js'
import {
  beginCalls,
  endResponse,
  openToolSession,
  playCalls,
  takeOutput,
} from '../../support/realtime/tool-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { makeTestTimers, type TestTimers } from '../../support/test-timers.js'

const timeoutSeconds = 7

let running: RealtimeTestService
let tools: ScriptedHttpServer
let timers: TestTimers
let open: ToolSession[] = []

beforeAll(async () => {
  timers = makeTestTimers()
  running = await startRealtimeService({ timers })
  tools = await startScriptedHttpServer()
})

afterEach(async () => {
  for (const { client } of open) client.socket.terminate()
  for (const { ticket } of open) await endedSession(running.client, ticket.conversationId)
  open = []
  tools.verify()
})

afterAll(async () => {
  await running.close()
  await tools.close()
})

async function openWorker(url = tools.url): Promise<ToolSession> {
  const weather = {
    kind: 'http',
    name: 'weather',
    description: 'Tells the weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    request: { method: 'GET', url: `${url}/weather/{city}` },
    timeoutSeconds,
  }
  const session = await openToolSession(running, { tools: [weather] })
  open.push(session)
  return session
}

const paris = { callId: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' }

interface ExpectedAnswer {
  readonly status: 1 | 2
  readonly executionTimeSeconds: number
  readonly output: RegExp
  /** Whether the service requests a response to the output. */
  readonly isAsked?: boolean
}

/** Checks for one output, one pair of events and one message with the same content. */
async function expectOneAnswer(session: ToolSession, expected: ExpectedAnswer): Promise<void> {
  const { ticket, client, provider } = session
  const { status, executionTimeSeconds, isAsked = true } = expected
  const { callId, output } = await takeOutput(provider)
  expect(callId).toBe('call_1')
  expect(output).toMatch(expected.output)
  await client.inbox.takeType('response.function_invocation.done')
  expect(await requestsAfterAll(session)).toEqual(['output call_1', ...(isAsked ? ['create'] : [])])
  const [start, done, ...others] = customEventsIn(client)
  expect(others).toEqual([])
  expect(start).toMatchObject({ type: 'response.function_invocation.start', data: { callId } })
  expect(done).toMatchObject({
    type: 'response.function_invocation.done',
    data: { callId, text: output, status, executionTimeSeconds },
  })
  const messages = await messagesOf(running.client, ticket.conversationId)
  expect(messages).toMatchObject([{ role: 'tool', callId, content: output, status, executionTimeSeconds }])
}

describe('the output of a call', () => {
  test('is sent once with one done event and the duration if the call succeeds [TOOL-2]', async () => {
    const session = await openWorker()
    let answer: ServerResponse | undefined
    const called = tools.expect('GET /weather/Paris', (response) => {
      answer = response
    })
    playCalls(session.provider, 'resp_1', [paris])
    await called
    timers.advance(1250)
    answer?.writeHead(200, { 'content-type': 'application/json' }).end('{"sky":"blue"}')
    await expectOneAnswer(session, { status: 1, executionTimeSeconds: 1.25, output: /^\{"sky":"blue"\}$/ })
  })

  test('is sent once with one done event if the server responds with an error [TOOL-2]', async () => {
    const session = await openWorker()
    void tools.expect('GET /weather/Paris', { status: 500, body: { error: 'no sky today' } })
    playCalls(session.provider, 'resp_1', [paris])
    await expectOneAnswer(session, { status: 2, executionTimeSeconds: 0, output: /500[\s\S]*no sky today/ })
  })

  test('is sent once with one done event if no server listens at the address [TOOL-2]', async () => {
    const gone = await startScriptedHttpServer()
    await gone.close()
    const session = await openWorker(gone.url)
    playCalls(session.provider, 'resp_1', [paris])
    await expectOneAnswer(session, { status: 2, executionTimeSeconds: 0, output: /Nothing listens at/ })
  })

  test.each([
    ['are not JSON', '{"city":', /not a JSON object/],
    ['are an array', '["Paris"]', /not a JSON object/],
    ['lack a required field', '{}', /must have required property 'city'/],
    ['have the wrong type', '{"city":7}', /city must be string/],
    ['are empty although a field is required', '', /must have required property 'city'/],
  ])(
    'is sent once with one done event and without a request if the arguments %s [TOOL-2]',
    async (_, given, output) => {
      const session = await openWorker()
      playCalls(session.provider, 'resp_1', [{ ...paris, arguments: given }])
      await expectOneAnswer(session, { status: 2, executionTimeSeconds: 0, output })
      expect(tools.requests).toEqual([])
    },
  )

  test("is sent once with one done event if the model has invented the tool's name [TOOL-2]", async () => {
    const session = await openWorker()
    playCalls(session.provider, 'resp_1', [{ ...paris, name: 'weather_forecast' }])
    await expectOneAnswer(session, {
      status: 2,
      executionTimeSeconds: 0,
      output: /The tool weather_forecast does not exist/,
    })
    expect(tools.requests).toEqual([])
  })

  test('is sent once with one done event if the tool times out, and its late response has no effect [TOOL-2]', async () => {
    const session = await openWorker()
    let answer: ServerResponse | undefined
    const called = tools.expect('GET /weather/Paris', (response) => {
      answer = response
    })
    playCalls(session.provider, 'resp_1', [paris])
    await called
    const hungUp = new Promise((resolve) => answer?.once('close', resolve))
    timers.advance(timeoutSeconds * 1000)
    await hungUp
    answer?.end('too late')
    await expectOneAnswer(session, {
      status: 2,
      executionTimeSeconds: timeoutSeconds,
      output: /did not respond within 7 seconds/,
    })
  })
})

describe('a call that may have an effect', () => {
  const pay = {
    ...{ kind: 'http', name: 'pay', description: 'Pays.', timeoutSeconds },
    ...{ parameters: { type: 'object' }, approvalRequired: false },
  }
  const openPayer = async (url: string) => {
    const request = { method: 'POST', url: `${url}/pay` }
    const session = await openToolSession(running, { tools: [{ ...pay, request }] })
    open.push(session)
    return session
  }
  const payment = (callId: string) => [{ callId, name: 'pay', arguments: '{"euros":5}' }]

  test('has an unknown outcome if it was sent and not answered, and its repetition needs approval [TOOL-27]', async () => {
    const session = await openPayer(tools.url)
    const called = tools.expect('POST /pay', () => undefined)
    playCalls(session.provider, 'resp_1', payment('call_1'))
    await called
    timers.advance(timeoutSeconds * 1000)
    const { output } = await takeOutput(session.provider)
    expect(output).toMatch(/^The tool did not respond within 7 seconds\. .*its outcome is unknown/)
    await session.client.inbox.takeType('response.function_invocation.done')
    expect(await messagesOf(running.client, session.ticket.conversationId)).toMatchObject([
      { callId: 'call_1', status: 2, content: output, failure: output },
    ])
    playCalls(session.provider, 'resp_2', payment('call_2'))
    expect((await session.client.inbox.takeType('approval.waiting')).data).toMatchObject({ callId: 'call_2' })
    expect(tools.requests).toHaveLength(1)
  })

  test('has failed if it was never sent, and can be repeated without approval [TOOL-27]', async () => {
    const gone = await startScriptedHttpServer()
    await gone.close()
    const session = await openPayer(gone.url)
    for (const callId of ['call_1', 'call_2']) {
      playCalls(session.provider, `resp of ${callId}`, payment(callId))
      const sentOutput = await takeOutput(session.provider)
      expect(sentOutput).toMatchObject({ callId, output: expect.stringMatching(/Nothing listens at/) })
      expect(sentOutput.output).not.toContain('unknown')
    }
  })
})

describe('an interrupted call', () => {
  const cutOff = { status: 2, executionTimeSeconds: 0, output: /interrupted/, isAsked: false } as const
  const item = { id: 'item_1', type: 'function_call', call_id: 'call_1', name: 'weather' }
  const half = { ...item, status: 'incomplete', arguments: '{"city":"Par' }

  test('is answered and never run if its item ends incomplete [TOOL-2]', async () => {
    const session = await openWorker()
    beginCalls(session.provider, 'resp_1', [])
    const names = { response_id: 'resp_1', output_index: 0 }
    session.provider.send({ type: 'response.output_item.added', ...names, item: { ...item, arguments: '' } })
    session.provider.send({ type: 'response.output_item.done', ...names, item: half })
    endResponse(session.provider, 'resp_1', [], 'cancelled')
    await expectOneAnswer(session, cutOff)
    expect(tools.requests).toEqual([])
  })

  test.each([
    ['and the response contains it', [half]],
    ['with arguments that look complete', [{ ...half, arguments: '{"city":"Paris"}' }]],
    ['and the response does not contain it', []],
  ])(
    'is answered and never run if its response is cancelled before it is complete, %s [TOOL-2]',
    async (_, output) => {
      const session = await openWorker()
      beginCalls(session.provider, 'resp_1', [])
      session.provider.send({ type: 'response.output_item.added', response_id: 'resp_1', item })
      session.provider.send({
        type: 'response.done',
        response: { id: 'resp_1', status: 'cancelled', output },
      })
      await expectOneAnswer(session, cutOff)
      expect(tools.requests).toEqual([])
    },
  )

  test('runs if it was complete before its response was cancelled [TOOL-2]', async () => {
    const session = await openWorker()
    void tools.expect('GET /weather/Paris', { body: { sky: 'blue' } })
    beginCalls(session.provider, 'resp_1', [paris])
    endResponse(session.provider, 'resp_1', [paris], 'cancelled')
    await expectOneAnswer(session, { status: 1, executionTimeSeconds: 0, output: /blue/, isAsked: false })
  })
})
