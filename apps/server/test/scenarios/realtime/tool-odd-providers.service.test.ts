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

/** The model calls a job, whose output the service posts and the provider does not echo. */
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

describe('a provider that echoes its own items, but not the outputs it gets [TOOL-18]', () => {
  test('is asked once for every answer, call after call', async () => {
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

  test('and one that echoes some of them alike', async () => {
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

  test('is asked although somebody else was answered in between, once it has echoed', async () => {
    const session = await jobs.open()
    await post(session, 'r1', 'a')
    await session.provider.inbox.takeType('response.create')
    // Created before the output was in, as the order shows.
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

describe('what never comes is not waited for [TOOL-18]', () => {
  test('a response that was requested: it is requested again, five times in all', async () => {
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

  test('the same with a provider that is never quiet', async () => {
    const session = await jobs.open()
    await post(session, 'r1', 'a')
    for (let second = 0; second < 32; second += 1) {
      await roundTrip(session)
      jobs.timers.advance(1000)
    }
    expect(await requestsAfterAll(session)).toEqual(['output a', 'create', 'create'])
  })

  test('a response that the client has requested', async () => {
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

  test('the end of the response that made the call', async () => {
    const session = await jobs.open()
    const held = jobs.hold('a')
    beginCalls(session.provider, 'r1', [jobCall('a')])
    await held.give('done')
    await session.provider.inbox.takeType('conversation.item.create')
    expect(await requestsAfterAll(session)).toEqual(['output a'])
    jobs.timers.advance(quiet.response - 1)
    // It still works at it.
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

test('a provider that does not say that responses begin is asked once [TOOL-18]', async () => {
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
])('a provider that says twice that responses %s is asked once [TOOL-18]', async (_, event) => {
  const session = await jobs.open()
  await post(session, 'r1', 'a')
  session.provider.send(echoOf('a'))
  for (const sent of [responseCreated('r2'), event, responseDone('r2'), event]) session.provider.send(sent)
  endResponse(session.provider, 'r2')
  await post(session, 'r3', 'b')
  session.provider.send(echoOf('b'))
  expect(await requestsAfterAll(session)).toEqual(['output a', 'create', 'output b', 'create'])
})
