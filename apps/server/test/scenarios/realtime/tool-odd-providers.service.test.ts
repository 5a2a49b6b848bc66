import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type JobSessions, jobCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import { requestsAfterAll, roundTrip } from '../../support/realtime/session-traffic.js'
import { responseCreated, responseDone } from '../../support/realtime/spoken-turns.js'
import { beginCalls, endResponse, playCalls, type ToolSession } from '../../support/realtime/tool-calls.js'

const quiet = { request: 10_000, response: 30_000 } as const

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions()
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

/** Lets the model make a call whose output the service posts and the provider does not echo. */
async function post(session: ToolSession, responseId: string, job: string): Promise<void> {
  const held = jobs.hold(job)
  playCalls(session.provider, responseId, [jobCall(job)])
  await held.give('done')
  await session.provider.inbox.takeType('conversation.item.create')
}

const echoOf = (job: string) => ({
  type: 'conversation.item.added',
  item: { type: 'function_call_output', call_id: job },
})

describe('a provider that does not echo the outputs it receives', () => {
  test('receives one request for each response, call after call [TOOL-18]', async () => {
    const session = await jobs.open()
    for (const [response, job] of [
      ['r1', 'a'],
      ['r2', 'b'],
      ['r3', 'c'],
    ] as const)
      await post(session, response, job)
    session.provider.send(responseCreated('r4'))
    session.provider.send(responseDone('r4'))
    const asked = ['a', 'b', 'c'].flatMap((job) => [`output ${job}`, 'create'])
    expect(await requestsAfterAll(session)).toEqual(asked)
    jobs.timers.advance(quiet.request * 4)
    expect(await requestsAfterAll(session)).toEqual(asked)
  })

  test('receives one request for each response even if it echoes some outputs [TOOL-18]', async () => {
    const session = await jobs.open()
    await post(session, 'r1', 'a')
    session.provider.send(echoOf('a'))
    await post(session, 'r2', 'b')
    session.provider.send(responseCreated('r3'))
    session.provider.send(responseDone('r3'))
    await post(session, 'r4', 'c')
    await roundTrip(session)
    jobs.timers.advance(quiet.request)
    expect(await requestsAfterAll(session)).toEqual(
      ['a', 'b'].flatMap((job) => [`output ${job}`, 'create']).concat('output c', 'create'),
    )
  })

  test('receives a request after its echo even if another response came in between [TOOL-18]', async () => {
    const session = await jobs.open()
    await post(session, 'r1', 'a')
    await session.provider.inbox.takeType('response.create')
    // The order shows that this response was created before the output arrived.
    session.provider.send(responseCreated('r2'))
    session.provider.send(echoOf('a'))
    session.provider.send({
      type: 'error',
      error: { code: 'conversation_already_has_active_response', event_id: null },
    })
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create', 'create'])
  })
})

describe('waiting for an event that the provider does not send', () => {
  test('ends for the requested response, which the service requests at most five times [TOOL-18]', async () => {
    const session = await jobs.open()
    await post(session, 'r1', 'a')
    for (let round = 1; round <= 8; round += 1) {
      expect((await requestsAfterAll(session)).filter((sent) => sent === 'create')).toHaveLength(
        Math.min(round, 5),
      )
      jobs.timers.advance(quiet.request)
      jobs.timers.advance(1000)
    }
  })

  test('ends for the requested response even if the provider is never silent [TOOL-18]', async () => {
    const session = await jobs.open()
    await post(session, 'r1', 'a')
    for (let second = 0; second < 32; second += 1) {
      await roundTrip(session)
      jobs.timers.advance(1000)
    }
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create', 'create'])
  })

  test('ends for a response that the client requested [TOOL-18]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [jobCall('a')])
    await held.called
    session.client.send({ type: 'response.create' })
    await session.provider.inbox.takeType('response.create')
    endResponse(session.provider, 'r1')
    await held.give('done')
    await session.provider.inbox.takeType('conversation.item.create')
    expect(await requestsAfterAll(session)).toEqual(['client create', 'output a'])
    jobs.timers.advance(quiet.request)
    expect((await requestsAfterAll(session)).at(-1)).toBe('create')
  })

  test('ends for the end of the response that made the call [TOOL-18]', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [jobCall('a')])
    await held.give('done')
    await session.provider.inbox.takeType('conversation.item.create')
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    jobs.timers.advance(quiet.response - 1)
    // The provider is still working on it.
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    jobs.timers.advance(quiet.response - 1)
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    jobs.timers.advance(quiet.response)
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
    session.provider.send(responseCreated('r2'))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
  })
})

test('a provider that does not announce the start of responses receives one request [TOOL-18]', async () => {
  const session = await jobs.open()
  await post(session, 'r1', 'a')
  session.provider.send(echoOf('a'))
  await session.provider.inbox.takeType('response.create')
  session.provider.send({ type: 'response.output_item.added', response_id: 'r2', item: { type: 'message' } })
  session.provider.send(responseDone('r2'))
  await roundTrip(session)
  jobs.timers.advance(quiet.request * 4)
  expect(await requestsAfterAll(session)).toEqual(['output a', 'create'])
})

test.each([
  ['begin', responseCreated('r2')],
  ['end', responseDone('r1')],
])('a provider that announces twice that responses %s receives one request [TOOL-18]', async (_, event) => {
  const session = await jobs.open()
  await post(session, 'r1', 'a')
  session.provider.send(echoOf('a'))
  for (const sent of [responseCreated('r2'), event, responseDone('r2'), event]) session.provider.send(sent)
  endResponse(session.provider, 'r2')
  await post(session, 'r3', 'b')
  session.provider.send(echoOf('b'))
  expect(await requestsAfterAll(session)).toEqual(['output a', 'create', 'output b', 'create'])
})
