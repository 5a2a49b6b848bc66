import { describe, expect, test } from 'vitest'
import { holdAnswer } from '../../support/realtime/held-answer.js'
import type { OpenSession } from '../../support/realtime/realtime-service.js'
import { requestsAfterAll } from '../../support/realtime/session-traffic.js'
import { patiently, sessionsOf } from '../../support/realtime/spoken-turns.js'
import { type ToolSession, takeOutput } from '../../support/realtime/tool-calls.js'
import { useTwoInstances } from '../../support/realtime/two-instances.js'
import {
  callAndWait,
  callItem,
  customTypes,
  pastItems,
  takeQuestion,
} from '../../support/realtime/waiting-calls.js'
import { makeTestClock } from '../../support/test-clock.js'

const clock = makeTestClock()
const expiredText = 'The call was not approved in time. It was not run.'
const rejectedText = 'This call was rejected. It was not run. Reason: No.'
const asked = ['response.function_invocation.start', 'approval.waiting']
const approvedAndDone = ['approval.approved', 'response.function_invocation.done']

const instances = useTwoInstances({ clock })
const { refunds } = instances

/** Opens a further session of the conversation on the other instance. */
const openElsewhere = ({ agentId, ticket }: ToolSession) =>
  instances.openOn(instances.other, agentId, ticket.conversationId)

const places = [
  ['on the same instance', (former: ToolSession) => refunds.openNext(former)],
  ['on another instance', openElsewhere],
] as const

interface TwoSessions {
  readonly former: ToolSession
  readonly newest: ToolSession
}

/**
 * Opens a session whose call waits, then a second session of the conversation while the first is still open.
 */
async function openTwoSessions(callId: string, openNext: (former: ToolSession) => Promise<ToolSession>) {
  const former = await refunds.open()
  await callAndWait(former, callId)
  const newest = await openNext(former)
  expect(await pastItems(newest, 1)).toMatchObject([callItem(callId)])
  await takeQuestion(newest)
  return { former, newest }
}

/**
 * Checks that the provider has received this one output and one request for a response, and that the client
 * was notified.
 */
async function expectOutput(session: OpenSession, callId: string, output: string): Promise<void> {
  expect(await takeOutput(session.provider)).toEqual({ callId, output })
  await session.provider.inbox.takeType('response.create')
  await session.client.inbox.takeType('response.function_invocation.done')
  expect(await requestsAfterAll(session)).toEqual([`output ${callId}`, 'create'])
}

const close = (...sessions: OpenSession[]) => {
  for (const { client } of sessions) client.socket.close()
}

type Decide = (sessions: TwoSessions, callId: string) => unknown

const approvals: readonly (readonly [string, Decide])[] = [
  ['by the first client', ({ former }, callId) => former.client.send({ type: 'approval.approve', callId })],
  ['by the newest client', ({ newest }, callId) => newest.client.send({ type: 'approval.approve', callId })],
  ['over HTTP', ({ former }, callId) => refunds.decide(former.ticket.conversationId, callId, 'approve')],
]

const refusals: readonly (readonly [string, string, readonly string[], Decide])[] = [
  [
    'rejected by the first client',
    rejectedText,
    [],
    ({ former }, callId) => former.client.send({ type: 'approval.reject', callId, reason: 'No.' }),
  ],
  [
    'rejected by the newest client',
    rejectedText,
    [],
    ({ newest }, callId) => newest.client.send({ type: 'approval.reject', callId, reason: 'No.' }),
  ],
  [
    'rejected over HTTP',
    rejectedText,
    [],
    ({ former }, callId) => refunds.decide(former.ticket.conversationId, callId, 'reject', 'No.'),
  ],
  ['left to expire', expiredText, ['approval.expired'], () => clock.advance(300_000)],
]

describe.each(places)('a call that waits in two sessions at once, the second %s', (_, openNext) => {
  test.each(approvals)(
    'runs once if it is approved %s, and both sessions receive its output [APR-3]',
    async (_how, decide) => {
      const sessions = await openTwoSessions('call_1', openNext)
      const { former, newest } = sessions
      const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
      await decide(sessions, 'call_1')
      await called
      for (const session of [former, newest]) {
        await expectOutput(session, 'call_1', 'Paid.')
        expect(customTypes(session)).toEqual([...asked, ...approvedAndDone])
      }
      expect(await refunds.callMessages(former.ticket.conversationId)).toMatchObject([
        { status: 1, content: 'Paid.' },
      ])
      close(former, newest)
    },
  )

  test.each(refusals)(
    'is answered once in each session if it is %s [APR-3]',
    async (_how, output, told, decide) => {
      const sessions = await openTwoSessions('call_2', openNext)
      const { former, newest } = sessions
      await decide(sessions, 'call_2')
      for (const session of [former, newest]) {
        await expectOutput(session, 'call_2', output)
        expect(customTypes(session)).toEqual([...asked, ...told, 'response.function_invocation.done'])
      }
      expect(await refunds.callMessages(former.ticket.conversationId)).toMatchObject([
        { status: 2, content: output },
      ])
      close(former, newest)
    },
  )

  test.each([
    ['former', 'newest'],
    ['newest', 'former'],
  ] as const)(
    'still runs if the client of the %s session is lost and that of the %s approves it [APR-3]',
    async (lost, there) => {
      const sessions = await openTwoSessions('call_3', openNext)
      const { client, ticket } = sessions[lost]
      client.socket.terminate()
      const ends = async () =>
        (await sessionsOf(refunds.running.client, ticket.conversationId)).map(({ endReason }) => endReason)
      await expect.poll(ends, patiently).toContain('client_lost')
      const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
      sessions[there].client.send({ type: 'approval.approve', callId: 'call_3' })
      await called
      await expectOutput(sessions[there], 'call_3', 'Paid.')
      expect(customTypes(sessions[there])).toEqual([...asked, ...approvedAndDone])
      close(sessions[there])
    },
  )

  test('is run by the first session if it already runs when the second starts, and both receive the output [APR-3]', async () => {
    const former = await refunds.open()
    await callAndWait(former, 'call_5')
    const held = holdAnswer(refunds.tools, 'POST /refund')
    former.client.send({ type: 'approval.approve', callId: 'call_5' })
    await held.called
    const newest = await openNext(former)
    expect(await pastItems(newest, 1)).toMatchObject([callItem('call_5')])
    await held.give('Paid.')
    await expectOutput(former, 'call_5', 'Paid.')
    await expectOutput(newest, 'call_5', 'Paid.')
    expect(customTypes(newest)).toEqual(['response.function_invocation.start', ...approvedAndDone])
    close(former, newest)
  })
})

test('a call of three sessions on two instances runs once if all of them approve it at the same time [APR-1]', async () => {
  const { former, newest } = await openTwoSessions('call_6', openElsewhere)
  const last = await refunds.openNext(newest)
  await pastItems(last, 1)
  await takeQuestion(last)
  const sessions = [former, newest, last]
  const called = refunds.tools.expect('POST /refund', { body: 'Paid.' })
  for (const { client } of sessions) client.send({ type: 'approval.approve', callId: 'call_6' })
  await called
  for (const session of sessions) await expectOutput(session, 'call_6', 'Paid.')
  // The two sessions whose decision came too late received an error.
  const refused = sessions.filter(({ client }) => client.inbox.types.includes('error'))
  expect(refused).toHaveLength(2)
  close(...sessions)
})
