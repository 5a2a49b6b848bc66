import type {
  RealtimeSession,
  RealtimeSessionTicket,
  RealtimeSessionTimeline,
  RealtimeStatistics,
} from '@parley/contract'
import {
  RealtimeStatistics as StatisticsSchema,
  RealtimeSessionTimeline as TimelineSchema,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addOrganization } from '../../support/organizations.js'
import { holdAnswer } from '../../support/realtime/held-answer.js'
import { mapCall } from '../../support/realtime/job-sessions.js'
import { type RealtimeTestService, startRealtimeService } from '../../support/realtime/realtime-service.js'
import {
  committed,
  endedSession,
  patiently,
  responseCreated,
  responseDone,
  sessionsOf,
  typedItem,
} from '../../support/realtime/spoken-turns.js'
import { beginCalls, openToolSession, takeOutput } from '../../support/realtime/tool-calls.js'
import { callAndWait, refundTool } from '../../support/realtime/waiting-calls.js'
import { type ScriptedHttpServer, startScriptedHttpServer } from '../../support/scripted-http-server.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'
import { makeTestTimers } from '../../support/test-timers.js'

const path = '/api/v1/RealtimeSession'
const audio = { type: 'response.output_audio.delta', delta: 'AAAA' }
const words = { type: 'response.output_audio_transcript.delta', item_id: 'A', delta: 'Paid' }
const typed = { type: 'conversation.item.added', item: typedItem('T', 'And now?') }
const usage = { total_tokens: 30, input_tokens: 10, output_tokens: 20 }

describe.each(databaseKinds)('the timeline on %s', (database) => {
  const clock = makeTestClock()
  const timers = makeTestTimers()
  let running: RealtimeTestService
  let tools: ScriptedHttpServer

  beforeAll(async () => {
    running = await startRealtimeService({ database, clock, timers })
    tools = await startScriptedHttpServer()
  })

  afterAll(async () => {
    await running.close()
    await tools.close()
  })

  const idOf = async ({ conversationId }: RealtimeSessionTicket) =>
    (await sessionsOf(running.client, conversationId))[0]?.id ?? ''
  const timelineOf = async (id: string) =>
    (await running.client.call<RealtimeSessionTimeline>('GET', `${path}/${id}/timeline`)).body
  const statistics = (query: string) =>
    running.client.call<RealtimeStatistics>('GET', `${path}/statistics?${query}`)

  test("shows where a session's time went, during the session and after it [RT-40] [RT-41] [RT-42]", async () => {
    const clientTools = [{ name: 'show_map', description: 'Shows a map.' }]
    const session = await openToolSession(running, { tools: [refundTool(tools)] }, { clientTools })
    const { agentId, client, provider, ticket } = session
    const id = await idOf(ticket)
    const openedAt = timers.monotonic()
    const passTo = (offset: number) => timers.advance(openedAt + offset - timers.monotonic())
    /** Once the client has an event, the service has processed it. */
    const say = async (offset: number, event: { readonly type: string }) => {
      passTo(offset)
      provider.send(event)
      await client.inbox.takeType(event.type)
    }
    expect(await timelineOf(id)).toEqual({
      ...{ realtimeSessionId: id, startedAt: clock.now().toISOString(), endedAt: null, exchanges: [] },
    })

    await say(1000, committed('U1'))
    passTo(1100)
    await callAndWait(session, 'pay')
    passTo(3100)
    const refund = holdAnswer(tools, 'POST /refund')
    client.send({ type: 'approval.approve', callId: 'pay' })
    await refund.called
    passTo(3500)
    await refund.give('Paid.')
    await takeOutput(provider)
    await provider.inbox.takeType('response.create')
    await say(3600, responseCreated('R2'))
    await say(3700, words)
    await say(3800, audio)
    await say(3900, audio)
    await say(4000, responseDone('R2', { status: 'completed', output: [], usage }))

    const first = {
      ...{ number: 1, speechStoppedAt: 1000, typedAt: null, responseCreatedAt: 1100, firstTokenAt: 3700 },
      firstAudioAt: 3800,
      tools: [
        {
          ...{ callId: 'pay', name: 'refund', runBy: 'service', startedAt: 1100, endedAt: 3500 },
          waitedForApprovalMs: 2000,
        },
      ],
      ...{ doneAt: 4000, status: 'completed' },
    }
    await expect.poll(async () => (await timelineOf(id)).exchanges, patiently).toEqual([first])
    const soFar = (await running.client.call<RealtimeSession>('GET', `${path}/${id}`)).body
    const latency = { exchanges: 1, firstAudioP50Ms: 2800, firstAudioP95Ms: 2800 }
    expect(soFar).toMatchObject({ endedAt: null, latency })

    await say(5000, typed)
    passTo(5100)
    beginCalls(provider, 'R3', [mapCall])
    await client.inbox.takeType('response.output_item.done')
    passTo(5150)
    const output = { type: 'function_call_output', call_id: mapCall.callId, output: 'Shown.' }
    client.send({ type: 'conversation.item.create', item: output })
    await provider.inbox.takeType('conversation.item.create')
    await say(5200, audio)
    await say(5300, responseDone('R3', { status: 'cancelled', output: [] }))
    await say(6000, committed('U2'))
    clock.advance(10_000)
    client.socket.close()
    const ended = await endedSession(running.client, ticket.conversationId)
    expect(ended.latency).toEqual({ ...latency, exchanges: 3 })
    const timeline = await timelineOf(id)
    expect(TimelineSchema.parse(timeline)).toEqual(timeline)
    const silent = { firstTokenAt: null, status: 'interrupted' }
    const map = { callId: 'map', name: 'show_map', runBy: 'client', startedAt: 5100, endedAt: 5150 }
    expect(timeline).toMatchObject({
      endedAt: ended.endedAt,
      exchanges: [
        first,
        {
          ...{ ...silent, number: 2, speechStoppedAt: null, typedAt: 5000, responseCreatedAt: 5100 },
          ...{ firstAudioAt: 5200, tools: [{ ...map, waitedForApprovalMs: 0 }], doneAt: 5300 },
        },
        { ...silent, number: 3, speechStoppedAt: 6000, responseCreatedAt: null, tools: [], doneAt: 6000 },
      ],
    })

    clock.advance(1)
    const { body: sums } = await statistics(`AgentId=${agentId}&By=hour`)
    expect(StatisticsSchema.parse(sums)).toEqual(sums)
    expect(sums.total).toMatchObject({
      ...{ sessions: 1, ends: [{ reason: 'client_left', sessions: 1 }], seconds: 10, exchanges: 3 },
      usage: { responses: 3, totalTokens: 30, inputTokens: 10, outputTokens: 20 },
    })
    expect(Math.abs((sums.total.firstAudioP50Ms ?? 0) / 2800 - 1)).toBeLessThan(0.1)
    expect(Date.parse(sums.to) - Date.parse(sums.from)).toBe(7 * 24 * 60 * 60 * 1000)
    const { from: _, to: __, ...last } = sums.buckets.at(-1) ?? { from: '', to: '' }
    expect(last).toEqual(sums.total)
    expect(sums.buckets.slice(0, -1).every(({ sessions }) => sessions === 0)).toBe(true)
  })

  test('is hidden from other organizations, and queries are bounded [RT-40] [RT-42]', async () => {
    const ticket = await running.createTicket()
    const id = await idOf(ticket)
    expect(await timelineOf(id)).toMatchObject({ startedAt: null, exchanges: [] })
    const stranger = running.client.as(await addOrganization(running))
    expect((await stranger.call('GET', `${path}/${id}/timeline`)).status).toBe(404)
    expect((await stranger.call('GET', `${path}/statistics`)).body).toMatchObject({ total: { sessions: 0 } })
    const refused: readonly (readonly [query: string, path: string])[] = [
      ['From=2030-01-02T00:00:00Z&To=2030-01-02T00:00:00Z', 'From'],
      ['From=2030-01-01T00:00:00Z&To=2030-04-03T00:00:01Z', 'From'],
      ['From=2999-01-01T00:00:00Z', 'From'],
      ['By=week', 'By'],
      ['TimeZone=Mars/Olympus', 'TimeZone'],
      ['AgentId=none', 'AgentId'],
    ]
    for (const [query, where] of refused) {
      const { status, body } = await statistics(query)
      expect([status, body], query).toMatchObject([400, { errors: [{ path: where }] }])
    }
    const { body } = await statistics('From=2030-01-01T00:00:00Z&To=2030-04-03T00:00:00Z')
    expect(body.buckets).toHaveLength(92)
  })
})
