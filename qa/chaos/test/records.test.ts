import type { Message } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { drawPlan } from '#chaos/plan/draw-plan.js'
import { faultKinds, targetOf } from '#chaos/plan/fault.js'
import { shrink } from '#chaos/plan/shrink.js'
import { judge } from '#chaos/records/judge.js'

/*
 * Tests the parts of `npm run chaos` that need no processes: the plan, the search for the smallest plan, and
 * the books, which must find each planted fault.
 */
type Records = Parameters<typeof judge>[0]

const at = Date.parse('2030-01-01T00:00:00.000Z')
const conversationId = 'conversation-1'

function message(id: string, role: Message['role'], fields: Partial<Message>): Message {
  const moment = new Date(at).toISOString()
  return {
    ...{ id, conversationId, createdAt: moment, updatedAt: moment, role, content: '', channel: 'realtime' },
    ...{ originId: null, interrupted: false, failure: null, callId: null, name: null, arguments: null },
    ...{ status: null, executionTimeSeconds: null },
    ...fields,
  }
}

const asked = message('m1', 'user', { content: 'u1s1 #1 asks' })
const answered = message('m2', 'assistant', { content: 'u1s1 #2 answers' })
const called = message('m3', 'tool', { callId: 'call_1', arguments: '{"call":"u1s1/3"}', status: 1 })
const session = {
  ...{ id: 'session-1', conversationId, startedAt: asked.createdAt, endedAt: asked.createdAt },
  ...{ key: 'u1s1', endReason: 'client_left' },
} as Records['stored']['sessions'][number]

/** The books of one user who asked one question, got an answer, and had one call. `change` plants a fault. */
function records(change: {
  readonly messages?: readonly Message[]
  readonly effects?: number
  readonly outputs?: number
  readonly words?: Records['outside']['connections'][number]['words']
  readonly sessions?: Records['stored']['sessions']
}): Records {
  const turn = (messageId: string, role: 'user' | 'assistant', content: string | null) => ({
    ...{ messageId, role, content, at },
  })
  const times = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)
  return {
    load: {
      sessions: [
        {
          ...{ key: 'u1s1', tenant: 0, conversationId, openedAt: at, closedAt: at + 90_000, closeCode: 1000 },
          ...{ isLeft: true, turns: [turn('m1', 'user', asked.content), turn('m2', 'assistant', null)] },
        },
      ],
      ...{ decisions: [], questions: [], files: [], tasks: [], strange: [], answers: {} },
    },
    outside: {
      connections: [
        {
          ...{ key: 'u1s1', openedAt: at, closedAt: at + 90_000, words: change.words ?? [] },
          calls: [{ callId: 'call_1', effect: 'u1s1/3', at }],
          outputs: times(change.outputs ?? 1, { callId: 'call_1', isReplayed: false, at }),
        },
      ],
      effects: times(change.effects ?? 1, { effect: 'u1s1/3', at }),
      ...{ delivered: {}, rejectedDeliveries: 0, modelSteps: 0 },
    },
    stored: {
      messages: new Map([[conversationId, change.messages ?? [asked, answered, called]]]),
      sessions: change.sessions ?? [session],
      ...{ approvals: [], tasks: [], turns: [], files: new Map(), leftovers: {}, audits: [] },
      owedDeliveries: [],
    },
  }
}

describe('judging the books of chaos', () => {
  test('finds no violation if everything is stored as acknowledged [OPS-21]', () => {
    expect(judge(records({}))).toEqual([])
  })

  test('expects no words of a lost instance, even if the conversation had a later session [OPS-21]', () => {
    const later = { ...session, id: 'session-2', key: 'u1s2' }
    const sessions = [later, { ...session, endReason: 'instance_lost' as const }]
    expect(judge(records({ words: [{ number: 9, role: 'user', at }], sessions }))).toEqual([])
  })

  test.each([
    ['an announced turn that is not stored', { messages: [asked, called] }, ['turns']],
    [
      'a turn that is stored twice',
      { messages: [asked, answered, called, { ...answered, id: 'm4' }] },
      ['turns'],
    ],
    ['spoken words that are not stored', { words: [{ number: 9, role: 'user', at }] }, ['turns']],
    ['turns in the wrong order', { messages: [answered, asked, called] }, ['order']],
    ['a call that ran twice', { effects: 2 }, ['effects']],
    ['a call that ran but is not stored', { messages: [asked, answered] }, ['effects']],
    ['a call with two outputs for the model', { outputs: 2 }, ['calls']],
    ['a call without an output for the model', { outputs: 0 }, ['calls']],
    [
      'a call that has not ended',
      { messages: [asked, answered, { ...called, status: 0 }] },
      ['effects', 'calls'],
    ],
    [
      'a session without an end',
      { sessions: [{ ...session, endedAt: null, endReason: null }] },
      ['sessions'],
    ],
  ] as const)('finds %s [OPS-21]', (_, planted, violations) => {
    expect(judge(records(planted)).map(({ invariant }) => invariant)).toEqual(violations)
  })
})

describe('The plan of chaos', () => {
  const draw = (seed: number) =>
    drawPlan({ seed, seconds: 600, sessions: 200, kinds: faultKinds, leaseSeconds: 4 })

  test('is the same for the same seed, has every kind of fault, and never overlaps faults of one target [OPS-21]', () => {
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
    const { faults } = draw(7)
    expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(faultKinds))
    for (const one of faults)
      for (const other of faults)
        if (one.id < other.id && targetOf(one) === targetOf(other))
          expect(one.atSeconds + one.forSeconds).toBeLessThan(other.atSeconds)
  })

  test('shrinks to the necessary faults within the allowed number of runs [OPS-21]', async () => {
    const items = Array.from({ length: 40 }, (_, index) => index)
    const needed = [5, 31]
    const breaks = async (subset: readonly number[]) => needed.every((item) => subset.includes(item))
    expect(await shrink(items, breaks, 100)).toMatchObject({ items: needed, isMinimal: true })
    expect(await shrink(items, async () => true, 100)).toEqual({ items: [], runs: 1, isMinimal: true })
    const few = await shrink(items, breaks, 3)
    expect(few).toMatchObject({ runs: 3, isMinimal: false })
    expect(await breaks(few.items)).toBe(true)
  })
})
