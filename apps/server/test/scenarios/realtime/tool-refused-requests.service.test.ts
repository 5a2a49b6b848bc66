import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type JobSessions, jobCall, startJobSessions } from '../../support/realtime/job-sessions.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { responseCreated, responseDone } from '../../support/realtime/spoken-turns.js'
import { playCalls, type ToolSession, takeOutput } from '../../support/realtime/tool-calls.js'

const patienceMilliseconds = 1000

let jobs: JobSessions

beforeAll(async () => {
  jobs = await startJobSessions()
})

afterEach(() => jobs.finish())

afterAll(() => jobs.close())

function refusal(eventId: unknown) {
  const code = 'conversation_already_has_active_response'
  const error = { type: 'invalid_request_error', code, message: 'Wait.', param: null, event_id: eventId }
  return { type: 'error', event_id: 'e', error }
}

/** A session in which the service has just asked for a response; answers the id of that request. */
async function openAsking(): Promise<ToolSession & { readonly eventId: unknown }> {
  const session = await jobs.open()
  const held = jobs.hold('a')
  playCalls(session.provider, 'r1', [jobCall('a')])
  await held.give('done')
  const create = await session.provider.inbox.takeType('response.create')
  return { ...session, eventId: create.event_id }
}

const echo = { type: 'conversation.item.added', item: { type: 'function_call_output', call_id: 'a' } }
const once = ['output a', 'create']

describe('a request for a response that is refused because another one is active [TOOL-3]', () => {
  test.each<[string, (ours: unknown) => object]>([
    ['and the refusal names our request', (ours) => refusal(ours)],
    ['and the refusal names no request', () => refusal(null)],
    ['and the refusal names an empty one', () => refusal('')],
    ['and the refusal leaves the request out', () => refusal(undefined)],
  ])('is sent again once that one is done, %s', async (_, refuse) => {
    const session = await openAsking()
    session.provider.send(responseCreated('r2'))
    session.provider.send(echo)
    session.provider.send(refuse(session.eventId))
    expect(await requestsAfterAll(session)).toEqual(once)
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual([...once, 'create'])
    session.provider.send(responseCreated('r3'))
    session.provider.send(responseDone('r3'))
    expect(await requestsAfterAll(session)).toEqual([...once, 'create'])
  })

  test('is not sent again where that one was created after the output was in', async () => {
    const session = await openAsking()
    session.provider.send(echo)
    session.provider.send(responseCreated('r2'))
    session.provider.send(refusal(session.eventId))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(once)
  })

  test('is sent again after a while where no other response is known of', async () => {
    const session = await openAsking()
    session.provider.send(echo)
    session.provider.send(refusal(session.eventId))
    expect(await requestsAfterAll(session)).toEqual(once)
    jobs.timers.advance(patienceMilliseconds - 1)
    expect(await requestsAfterAll(session)).toEqual(once)
    jobs.timers.advance(1)
    expect(await requestsAfterAll(session)).toEqual([...once, 'create'])
  })

  test('is not sent for ever', async () => {
    const session = await openAsking()
    session.provider.send(echo)
    for (let round = 0; round < 8; round += 1) {
      session.provider.send(refusal(null))
      await requestsAfterAll(session)
      jobs.timers.advance(patienceMilliseconds)
    }
    expect(await requestsAfterAll(session)).toEqual([
      'output a',
      ...Array.from({ length: 5 }, () => 'create'),
    ])
  })

  test('reaches the client as the provider said it, and the session goes on', async () => {
    const session = await openAsking()
    const told = JSON.stringify(refusal(session.eventId))
    session.provider.send(told)
    await requestsAfterAll(session)
    expect(session.client.inbox.all.map(({ data }) => data.toString())).toContain(told)
  })
})

describe('an error that is not about our request', () => {
  test.each<[string, object]>([
    ['names a request of the client', refusal('event_of_the_client')],
    ['has another code', { type: 'error', error: { code: 'rate_limit_exceeded', event_id: null } }],
    ['is none', { type: 'error' }],
  ])('%s, and nothing is asked again', async (_, error) => {
    const session = await openAsking()
    session.provider.send(echo)
    session.provider.send(error)
    await requestsAfterAll(session)
    jobs.timers.advance(patienceMilliseconds)
    expect(await requestsAfterAll(session)).toEqual(once)
  })
})

test('an output that comes while the service waits is posted at once', async () => {
  const session = await jobs.open()
  const [first, second] = [jobs.hold('a'), jobs.hold('b')]
  playCalls(session.provider, 'r1', [jobCall('a')])
  await first.give('done')
  await takeOutput(session.provider)
  session.provider.send(refusal(null))
  playCalls(session.provider, 'r2', [jobCall('b')])
  await second.give('done')
  expect((await takeOutput(session.provider)).callId).toBe('b')
  expect((await requestsAfterAll(session)).at(-1)).toBe('create')
})
