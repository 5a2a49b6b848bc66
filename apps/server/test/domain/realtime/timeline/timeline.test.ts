import { RealtimeExchange } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Latencies } from '#server/domain/realtime/timeline/latencies.js'
import { Timeline } from '#server/domain/realtime/timeline/timeline.js'
import type { ExchangeRecord } from '#server/ports/realtime-stores.js'
import { decodeEvent, type WireEvent } from '../../../support/realtime/decode-event.js'
import {
  committed,
  responseCreated,
  responseDone,
  typedItem,
} from '../../../support/realtime/spoken-turns.js'

const words = (id: string) => ({ type: 'response.output_text.delta', response_id: id, delta: 'Yes' })
const typed = (id: string) => ({ type: 'conversation.item.added', item: typedItem(id, 'Hello') })
const cancelled = (id: string) => responseDone(id, { status: 'cancelled', output: [] })

/** The events of a session with their times in milliseconds since its start. */
type Step =
  | readonly [at: number, wire: WireEvent]
  | readonly [at: number, 'audio' | 'end']
  | readonly [at: number, 'start' | 'await' | 'decided' | 'output', callId: string]

const startedAt = 5000

function play(steps: readonly Step[], replayed: readonly string[] = []): ExchangeRecord[] {
  const timeline = new Timeline(startedAt, replayed)
  return steps.flatMap(([offset, what, callId = '']) => [
    ...perform(timeline, startedAt + offset, what, callId),
  ])
}

function perform(timeline: Timeline, at: number, what: Step[1], callId: string): readonly ExchangeRecord[] {
  if (typeof what === 'object') {
    const event = decodeEvent(what)
    return event === null ? [] : timeline.observe(event, at)
  }
  if (what === 'audio') timeline.observeAudio(at)
  if (what === 'start') timeline.startCall({ callId, name: 'find', runBy: 'service' }, at)
  if (what === 'await' || what === 'decided') timeline.setAwaitingApproval(callId, what === 'await', at)
  if (what === 'output') return timeline.endCall(callId, at)
  return what === 'end' ? timeline.end(at) : []
}

const nothing = {
  ...{
    speechStoppedAt: null,
    typedAt: null,
    responseCreatedAt: null,
    firstTokenAt: null,
    firstAudioAt: null,
  },
  tools: [],
}

describe('an exchange of the timeline [RT-40]', () => {
  test('has one time each from the end of the question to the end of the answer', () => {
    const exchanges = play([
      [100, committed('U')],
      [110, responseCreated('R')],
      [300.4, words('R')],
      [350, 'audio'],
      [400, words('R')],
      [450, 'audio'],
      [900, responseDone('R')],
      [1000, words('R')],
      [1100, 'end'],
    ])
    expect(exchanges).toEqual([
      {
        ...{ number: 1, speechStoppedAt: 100, typedAt: null, responseCreatedAt: 110 },
        ...{ firstTokenAt: 300, firstAudioAt: 350, tools: [], doneAt: 900, status: 'completed' },
      },
    ])
  })

  test('continues through the tools of its answer and lists the waiting time for people separately', () => {
    const exchanges = play([
      [100, typed('T')],
      [120, responseCreated('R1')],
      [200, 'start', 'one'],
      [210, 'start', 'two'],
      [220, 'start', 'one'],
      [250, 'await', 'two'],
      // A sub-agent may wait for two decisions at once.
      [260, 'await', 'two'],
      [300, responseDone('R1')],
      [310, 'output', 'one'],
      [700, 'decided', 'two'],
      [750, 'decided', 'two'],
      [800, 'output', 'two'],
      [810, typed('T')],
      [820, responseCreated('R2')],
      [900, 'audio'],
      [990, responseDone('R2')],
    ])
    const tool = { name: 'find', runBy: 'service' }
    expect(exchanges).toEqual([
      {
        ...{ ...nothing, number: 1, typedAt: 100, responseCreatedAt: 120, firstAudioAt: 900, doneAt: 990 },
        tools: [
          { ...tool, callId: 'one', startedAt: 200, endedAt: 310, waitedForApprovalMs: 0 },
          { ...tool, callId: 'two', startedAt: 210, endedAt: 800, waitedForApprovalMs: 500 },
        ],
        status: 'completed',
      },
    ])
  })

  test('is interrupted by the next question, and its late events do not count for the next exchange', () => {
    const exchanges = play([
      [100, committed('U1')],
      [110, responseCreated('R1')],
      [150, 'start', 'slow'],
      [200, responseDone('R1')],
      [300, committed('U2')],
      [310, responseCreated('R2')],
      [320, words('R1')],
      [330, responseDone('R1')],
      [400, committed('U3')],
      [410, cancelled('R2')],
      [450, 'audio'],
      [500, 'output', 'slow'],
      [510, 'end'],
    ])
    const tool = { callId: 'slow', name: 'find', runBy: 'service', startedAt: 150, waitedForApprovalMs: 0 }
    const first = { ...nothing, number: 1, speechStoppedAt: 100, responseCreatedAt: 110, doneAt: 310 }
    expect(exchanges).toEqual([
      { ...first, tools: [{ ...tool, endedAt: null }], status: 'interrupted' },
      {
        ...{ ...nothing, number: 2, speechStoppedAt: 300, responseCreatedAt: 310, doneAt: 410 },
        status: 'interrupted',
      },
      // The same exchange again, with the outcome of its call.
      { ...first, tools: [{ ...tool, endedAt: 500 }], status: 'interrupted' },
      { ...nothing, number: 3, speechStoppedAt: 400, doneAt: 510, status: 'interrupted' },
    ])
  })

  test('can fail or begin without words, and ignores history and out-of-band responses', () => {
    const outOfBand = { type: 'response.created', response: { id: 'X', conversation_id: null } }
    const exchanges = play(
      [
        [10, typed('past')],
        [20, outOfBand],
        [30, responseDone('X')],
        [100, responseCreated('R')],
        [200, responseDone('R', { status: 'failed', output: [] })],
        [300, 'end'],
      ],
      ['past'],
    )
    expect(exchanges).toEqual([
      { ...nothing, number: 1, responseCreatedAt: 100, doneAt: 200, status: 'failed' },
    ])
  })
})

const id = fc.constantFrom('A', 'B', 'C')
const wire: fc.Arbitrary<WireEvent> = fc.oneof(
  id.map(committed),
  id.map(typed),
  id.map(words),
  fc.constantFrom<WireEvent>({ type: 'response.created' }, { type: 'response.done' }),
  id.map(responseCreated),
  id.map((each) => responseDone(each)),
  id.map(cancelled),
)
const longName = 'x'.repeat(5000)
const callId = fc.oneof(
  id,
  fc.nat(200).map((each) => `${longName}${each}`),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(fc.integer({ min: -100, max: 100_000 }), wire),
  fc.tuple(fc.integer({ min: -100, max: 100_000 }), fc.constantFrom('audio' as const, 'end' as const)),
  fc.tuple(
    fc.integer({ min: -100, max: 100_000 }),
    fc.constantFrom('start' as const, 'await' as const, 'decided' as const, 'output' as const),
    callId,
  ),
)

/** The times of an exchange are in order, and no value exceeds its limit. */
function expectSound(exchange: ExchangeRecord): void {
  expect(RealtimeExchange.parse(exchange)).toEqual(exchange)
  const { speechStoppedAt, typedAt, responseCreatedAt, firstTokenAt, firstAudioAt, doneAt, tools } = exchange
  const answeredAt = responseCreatedAt ?? doneAt
  const heard = [firstTokenAt, firstAudioAt].filter((at) => at !== null)
  const inputs = [speechStoppedAt, typedAt].filter((at) => at !== null)
  expect(Math.max(0, ...inputs)).toBeLessThanOrEqual(answeredAt)
  expect(Math.min(doneAt, ...heard)).toBeGreaterThanOrEqual(answeredAt)
  expect(Math.max(answeredAt, ...heard)).toBeLessThanOrEqual(doneAt)
  if (responseCreatedAt === null) expect([...heard, ...tools]).toEqual([])
  expect(tools.length).toBeLessThanOrEqual(32)
  for (const { startedAt, endedAt, waitedForApprovalMs, name, callId } of tools) {
    expect(startedAt).toBeGreaterThanOrEqual(answeredAt)
    expect(waitedForApprovalMs).toBeGreaterThanOrEqual(0)
    expect(waitedForApprovalMs).toBeLessThanOrEqual((endedAt ?? Number.MAX_SAFE_INTEGER) - startedAt)
    expect(name.length + callId.length).toBeLessThanOrEqual(400)
  }
}

test('has bounded state and increasing offsets for any events in any order [RT-40]', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const latest = new Map<number, ExchangeRecord>()
      for (const exchange of play([...steps, [0, 'end']])) {
        expectSound(exchange)
        // A repeated record equals the stored one, except for its calls.
        const { tools: _, ...fields } = latest.get(exchange.number) ?? exchange
        expect(exchange).toMatchObject(fields)
        latest.set(exchange.number, exchange)
      }
      const inOrder = [...latest.values()].sort((one, other) => one.number - other.number)
      expect(inOrder.map(({ number }) => number)).toEqual(inOrder.map((_, index) => index + 1))
      for (const [index, exchange] of inOrder.entries())
        expect(exchange.doneAt).toBeGreaterThanOrEqual(inOrder[index - 1]?.doneAt ?? 0)
    }),
    { numRuns: 300 },
  )
})

test('does not return through a call that outlives five hundred later exchanges [RT-40]', () => {
  const others = Array.from({ length: 500 }, (_, index): Step[] => [
    [20, responseCreated(`R${index}`)],
    [30, responseDone(`R${index}`)],
  ])
  const before: Step[] = [
    [0, responseCreated('R')],
    [1, 'start', 'late'],
    [2, cancelled('R')],
  ]
  expect(play([...before, ...others.flat().slice(0, -2), [40, 'output', 'late']])).toHaveLength(501)
  expect(play([...before, ...others.flat(), [40, 'output', 'late']])).toHaveLength(501)
})

test('counts for the latency of a session if it is one of the last 500 spoken exchanges [RT-41]', () => {
  const latencies = new Latencies()
  expect(latencies.summary).toEqual({
    ...{ exchanges: 0, firstAudioP50Ms: null, firstAudioP95Ms: null, counts: [] },
  })
  const exchange = (number: number, latency: number | null): ExchangeRecord => ({
    ...{ ...nothing, number, doneAt: 9000, status: 'completed' },
    ...{ speechStoppedAt: latency === null ? null : 1000, firstAudioAt: 1000 + (latency ?? 0) },
  })
  latencies.add(exchange(1, null))
  for (let number = 2; number <= 101; number += 1) latencies.add(exchange(number, (number - 1) * 10))
  latencies.add(exchange(101, 5000))
  expect(latencies.summary).toMatchObject({ exchanges: 101, firstAudioP50Ms: 500, firstAudioP95Ms: 950 })
  for (let number = 102; number <= 601; number += 1) latencies.add(exchange(number, 70))
  const { counts, ...summary } = latencies.summary
  expect(summary).toEqual({ exchanges: 601, firstAudioP50Ms: 70, firstAudioP95Ms: 70 })
  expect(counts.length).toBeLessThanOrEqual(41)
  expect(counts.reduce((sum, count) => sum + count)).toBe(600)
})
