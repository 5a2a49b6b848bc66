import { v7 as uuid } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { ApprovalRecord, Decider, Decision } from '#server/ports/task-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { unusualText } from '../../support/stores/records.js'
import { newOrganization } from '../../support/stores/store-database.js'
import {
  deadline,
  idsOf,
  later,
  now,
  twentyAtOnce,
  useApprovals,
} from '../../support/stores/use-approvals.js'

const firstPage = { offset: 0, limit: 50 }
const beforeDeadline = '2030-01-02T03:09:05.677Z'

const approve: Decision = {
  state: 'approved',
  decidedBy: { type: 'api_key', id: 'key', name: unusualText },
  reason: unusualText,
}
const reject: Decision = {
  state: 'rejected',
  decidedBy: { type: 'client', id: 'session', name: null },
  reason: null,
}

describe.each(databaseKinds)('the approval store on the %s database [DB-1]', (kind) => {
  const kept = useApprovals(kind)
  const { add, find, newConversation, newSession, newTurn } = kept

  const client: Decider = { type: 'client' }
  const decide = ({ callId }: ApprovalRecord, decision: Decision, at = now, by: Decider = client) =>
    kept.approvals.decide(kept.opened.organizationId, kept.conversation.id, callId, decision, by, at)

  test('stores every field unchanged, and one approval per message', async () => {
    const decided = { state: 'approved', decidedBy: approve.decidedBy, decidedAt: now } as const
    const whole = await add({
      ...{ ...decided, reason: unusualText, arguments: unusualText, tool: unusualText },
      ...{ originId: uuid(), claimedBy: uuid(), finishedAt: later },
    })
    const bare = await add()
    expect(await find(whole.id)).toStrictEqual(whole)
    expect(await find(bare.id)).toStrictEqual(bare)
    expect(JSON.stringify((await find(bare.id))?.call)).toBe(JSON.stringify(bare.call))
    expect(await kept.approvals.find(await newOrganization(kept.opened.database), bare.id)).toBeNull()
    await expect(add({ messageId: bare.messageId })).rejects.toThrow()
  })

  test('lists newest first by state, agent, conversation and call, within the organization', async () => {
    const first = await add()
    const second = await add({ state: 'rejected' })
    const home = kept.conversation
    const other = await newConversation()
    const third = await add({ callId: first.callId }, other)
    const expected = [
      [{}, [third, second, first]],
      [{ state: 'waiting' }, [third, first]],
      [{ state: 'expired' }, []],
      [{ agentId: home.agentId }, [second, first]],
      [{ conversationId: other.id }, [third]],
      [{ conversationId: home.id, callId: first.callId }, [first]],
    ] as const
    for (const [filter, records] of expected)
      expect(await kept.approvals.list(kept.opened.organizationId, filter, firstPage)).toEqual({
        items: records,
        totalCount: records.length,
      })
    const page = await kept.approvals.list(kept.opened.organizationId, {}, { offset: 1, limit: 1 })
    expect(page).toEqual({ items: [second], totalCount: 3 })
    const elsewhere = await newOrganization(kept.opened.database)
    expect((await kept.approvals.list(elsewhere, {}, firstPage)).totalCount).toBe(0)
    expect(idsOf(await kept.approvals.findMany([third.id, uuid(), first.id])).sort()).toEqual([
      first.id,
      third.id,
    ])
    expect(await kept.approvals.findMany([])).toEqual([])
  })

  describe('decide [APR-1]', () => {
    test('stores who decided, when and why', async () => {
      const waiting = await add()
      const decided = { ...waiting, ...approve, decidedAt: now, updatedAt: now, version: 2 }
      expect(await decide(waiting, approve)).toStrictEqual(decided)
      expect(await find(waiting.id)).toStrictEqual(decided)
    })

    test('accepts one of 20 concurrent decisions and stores only that one', async () => {
      const waiting = await add()
      const answers = await twentyAtOnce((index) =>
        decide(waiting, { ...(index % 2 ? approve : reject), reason: `${index}` }),
      )
      const [winner, ...others] = answers.filter((answer) => answer !== null)
      expect(others).toEqual([])
      expect(winner).toMatchObject({ version: 2 })
      expect(await find(waiting.id)).toEqual(winner)
    })

    test('finds no approval of another call, conversation or organization, and changes no other approval', async () => {
      const waiting = await add()
      const bystander = await add()
      const other = await newConversation()
      const { callId } = waiting
      for (const [organization, place, call] of [
        [kept.opened.organizationId, kept.conversation.id, 'call_unknown'],
        [kept.opened.organizationId, other.id, callId],
        [await newOrganization(kept.opened.database), kept.conversation.id, callId],
      ] as const)
        expect(await kept.approvals.decide(organization, place, call, approve, client, now)).toBeNull()
      expect(await find(waiting.id)).toEqual(waiting)
      expect(await decide(waiting, reject)).toMatchObject({ id: waiting.id, ...reject })
      expect(await find(bystander.id)).toEqual(bystander)
    })

    test('decides the older of two calls with the same id first', async () => {
      const first = await add()
      const second = await add({ callId: first.callId })
      expect(await decide(first, approve)).toMatchObject({ id: first.id })
      expect(await find(second.id)).toEqual(second)
      expect(await decide(first, reject)).toMatchObject({ id: second.id, state: 'rejected' })
      expect(await decide(first, reject)).toBeNull()
    })

    test('accepts decisions before the deadline and rejects them at the deadline', async () => {
      const [inTime, late] = [await add(), await add()]
      expect(await decide(inTime, approve, beforeDeadline)).toMatchObject({ state: 'approved' })
      expect(await decide(late, approve, deadline)).toBeNull()
      expect(await find(late.id)).toEqual(late)
      expect(await kept.approvals.expireDue(beforeDeadline)).toBe(0)
      expect(await kept.approvals.expireDue(deadline)).toBe(1)
      const expired = { ...late, state: 'expired', updatedAt: deadline, version: 2 }
      expect(await find(late.id)).toEqual(expired)
      expect(await kept.approvals.expireDue(deadline)).toBe(0)
      expect(await decide(late, approve, now)).toBeNull()
      expect(await find(inTime.id)).toMatchObject({ state: 'approved', version: 2 })
    })

    test('leaves one outcome if decisions race against the deadline', async () => {
      const waiting = await add()
      const outcomes = await twentyAtOnce(async (index) =>
        index % 2
          ? (await decide(waiting, approve, beforeDeadline)) !== null
          : (await kept.approvals.expireDue(deadline)) === 1,
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const { state } = (await find(waiting.id)) ?? {}
      expect(state).toBe(outcomes.findIndex(Boolean) % 2 ? 'approved' : 'expired')
    })

    test('rejects a decision after a withdrawal and keeps one that came before', async () => {
      const originId = uuid()
      const [withdrawn, decided] = [await add({ originId }), await add({ originId })]
      await decide(decided, approve)
      const elsewhere = await add({ originId: uuid() })
      await kept.approvals.withdraw(elsewhere.id, uuid(), later)
      expect(await find(elsewhere.id)).toMatchObject({ state: 'waiting' })
      for (const { id, originId } of [withdrawn, decided])
        await kept.approvals.withdraw(id, originId ?? '', later)
      expect(await decide(withdrawn, approve, later)).toBeNull()
      expect(await find(withdrawn.id)).toMatchObject({ state: 'expired', finishedAt: null, updatedAt: later })
      expect(await find(decided.id)).toMatchObject({ state: 'approved', updatedAt: now })
    })
  })

  describe('claim [APR-1]', () => {
    test('lets one of 20 concurrent claims win', async () => {
      const approved = await add({ state: 'approved' })
      const instances = Array.from({ length: 20 }, () => uuid())
      const won = await Promise.all(instances.map((one) => kept.approvals.claim(approved.id, one, null, now)))
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await find(approved.id)).toMatchObject({ claimedBy: instances[won.indexOf(true)], version: 2 })
    })

    test.each(['waiting', 'rejected', 'expired'] as const)('claims no approval that is %s', async (state) => {
      const { id } = await add({ state })
      expect(await kept.approvals.claim(id, uuid(), null, now)).toBe(false)
      expect(await find(id)).toMatchObject({ claimedBy: null, version: 1 })
    })

    test('claims no approval that is finished', async () => {
      const { id } = await add({ state: 'approved' })
      await kept.approvals.finish(id, now)
      expect(await kept.approvals.claim(id, uuid(), null, later)).toBe(false)
      await kept.approvals.finish(id, later)
      expect(await find(id)).toMatchObject({ claimedBy: null, finishedAt: now, updatedAt: now, version: 2 })
    })

    test.each([
      ['session', newSession],
      ['turn in text', newTurn],
    ] as const)(
      'lets the running %s alone claim its calls, and any caller once it has ended',
      async (_, begin) => {
        const [mine, other, over] = [await begin(true), await newSession(true), await begin(false)]
        const claim = ({ id }: ApprovalRecord, originId: string | null) =>
          kept.approvals.claim(id, uuid(), originId, now)
        const ofRunning = await add({ state: 'approved', originId: mine })
        expect(await claim(ofRunning, other)).toBe(false)
        expect(await claim(ofRunning, null)).toBe(false)
        expect(await claim(ofRunning, mine)).toBe(true)
        for (const originId of [over, null])
          for (const claimer of [mine, null]) {
            const ofNobody = await add({ state: 'approved', originId })
            expect(await claim(ofNobody, claimer)).toBe(true)
            expect(await claim(ofNobody, other)).toBe(false)
          }
      },
    )
  })

  test('unattended lists decided calls that no running session or turn handles, oldest first', async () => {
    const [running, over] = [await newSession(true), await newSession(false)]
    await add()
    const approved = await add({ state: 'approved' })
    const rejected = await add({ state: 'rejected', originId: over })
    const expired = await add({ state: 'expired', originId: uuid() })
    await add({ state: 'approved', originId: running })
    await add({ state: 'approved', originId: await newTurn(true) })
    await add({ state: 'approved', claimedBy: uuid() })
    await add({ state: 'rejected', finishedAt: now })
    expect(await kept.approvals.unattended(50)).toEqual([approved, rejected, expired])
    expect(idsOf(await kept.approvals.unattended(2))).toEqual(idsOf([approved, rejected]))
  })

  test('forgetConversation expires waiting calls, prevents claims, and erases arguments and reasons', async () => {
    const instanceId = uuid()
    const waiting = await add()
    const approved = await add({ state: 'approved', decidedBy: approve.decidedBy, reason: 'said' })
    const claimed = await add({ state: 'approved', claimedBy: instanceId })
    const over = await add({ state: 'rejected', finishedAt: now })
    const elsewhere = await add({ conversationId: (await newConversation()).id })
    await kept.approvals.forgetConversation(kept.conversation.id, later)
    const forgotten = { arguments: '{}', reason: null, updatedAt: later, version: 2 }
    expect(await find(waiting.id)).toEqual({
      ...{ ...waiting, ...forgotten, state: 'expired', finishedAt: later },
    })
    expect(await find(approved.id)).toEqual({ ...approved, ...forgotten, finishedAt: later })
    expect(await find(claimed.id)).toEqual({ ...claimed, ...forgotten })
    expect(await find(over.id)).toEqual({ ...over, ...forgotten })
    expect(await find(elsewhere.id)).toEqual(elsewhere)
    expect(await decide(waiting, approve)).toBeNull()
    expect(await kept.approvals.claim(approved.id, instanceId, null, later)).toBe(false)
    expect(await kept.approvals.unattended(50)).toEqual([])
  })
})
