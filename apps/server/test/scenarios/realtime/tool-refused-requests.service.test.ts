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

/**
 * Opens a session in which the service has just requested a response. Returns the id of that request as
 * well.
 */
async function openWithRequest(): Promise<ToolSession & { readonly eventId: unknown }> {
  const session = await jobs.open()
  const held = jobs.hold('a')
  playCalls(session.provider, 'r1', [jobCall('a')])
  await held.give('done')
  const create = await session.provider.inbox.takeType('response.create')
  return { ...session, eventId: create.event_id }
}

const echo = { type: 'conversation.item.added', item: { type: 'function_call_output', call_id: 'a' } }
const once = ['output a', 'create']

describe('a response request that is rejected because another response is active', () => {
  test.each<[string, (ours: unknown) => object]>([
    ['if the error names our request', (ours) => refusal(ours)],
    ['if the error has a null event id', () => refusal(null)],
    ['if the error has an empty event id', () => refusal('')],
    ['if the error has no event id', () => refusal(undefined)],
  ])('is repeated after the other response, %s [TOOL-3]', async (_, refuse) => {
    const session = await openWithRequest()
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

  test('is not repeated if the other response was created after the output arrived [TOOL-3]', async () => {
    const session = await openWithRequest()
    session.provider.send(echo)
    session.provider.send(responseCreated('r2'))
    session.provider.send(refusal(session.eventId))
    session.provider.send(responseDone('r2'))
    expect(await requestsAfterAll(session)).toEqual(once)
  })

  test('is repeated after a delay if no other response is known [TOOL-3]', async () => {
    const session = await openWithRequest()
    session.provider.send(echo)
    session.provider.send(refusal(session.eventId))
    expect(await requestsAfterAll(session)).toEqual(once)
    jobs.timers.advance(patienceMilliseconds - 1)
    expect(await requestsAfterAll(session)).toEqual(once)
    jobs.timers.advance(1)
    expect(await requestsAfterAll(session)).toEqual([...once, 'create'])
  })

  test('is repeated a limited number of times [TOOL-3]', async () => {
    const session = await openWithRequest()
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

  test('is relayed to the client unchanged, and the session continues [TOOL-3]', async () => {
    const session = await openWithRequest()
    const errorFrame = JSON.stringify(refusal(session.eventId))
    session.provider.send(errorFrame)
    await requestsAfterAll(session)
    expect(session.client.inbox.all.map(({ data }) => data.toString())).toContain(errorFrame)
  })
})

describe("an error that does not concern the service's request", () => {
  test.each<[string, object]>([
    ['names a request of the client', refusal('event_of_the_client')],
    ['has another code', { type: 'error', error: { code: 'rate_limit_exceeded', event_id: null } }],
    ['has no error object', { type: 'error' }],
  ])('does not cause a repeated request if it %s', async (_, error) => {
    const session = await openWithRequest()
    session.provider.send(echo)
    session.provider.send(error)
    await requestsAfterAll(session)
    jobs.timers.advance(patienceMilliseconds)
    expect(await requestsAfterAll(session)).toEqual(once)
  })
})

test('an output that becomes available during the delay is posted immediately', async () => {
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
