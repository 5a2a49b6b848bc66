import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalRecord, ApprovalStore, Decision } from '#server/ports/approval-store.js'
import type { ConversationRecord } from '#server/ports/conversation-store.js'
import { databaseKinds } from '../../support/start-service.js'
import {
  makeAgent,
  makeApproval,
  makeConversation,
  makeMessage,
  makeSession,
  unusualText,
} from '../../support/stores/records.js'
import {
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const firstPage = { offset: 0, limit: 50 }
const now = '2030-01-02T03:04:30.000Z'
const later = '2030-01-02T03:04:40.000Z'
const deadline = '2030-01-02T03:09:05.678Z'
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

const idsOf = (records: readonly ApprovalRecord[]) => records.map(({ id }) => id)

describe.each(databaseKinds)('[DB-1] the approval store on the %s database', (kind) => {
  let database: StoreDatabase
  let approvals: ApprovalStore
  let organizationId: string
  let conversation: ConversationRecord

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
    approvals = database.stores.approvals
  })

  beforeEach(async () => {
    organizationId = await newOrganization(database)
    conversation = await newConversation()
    await database.pool.query('delete from approval')
  })

  afterAll(() => database.close())

  async function newConversation(): Promise<ConversationRecord> {
    const agent = makeAgent(organizationId)
    await database.stores.agents.insert(agent)
    const record = makeConversation(organizationId, agent.id)
    await database.stores.conversations.insert(record)
    return record
  }

  async function add(fields: Partial<ApprovalRecord> = {}): Promise<ApprovalRecord> {
    const record = makeApproval(conversation, { deadline, ...fields })
    await approvals.insert(record)
    return record
  }

  async function newSession(isRunning: boolean): Promise<string> {
    const over = isRunning ? null : now
    const session = makeSession(conversation, { state: 'consumed', startedAt: now, endedAt: over })
    await database.stores.realtimeSessions.insert(session)
    return session.id
  }

  /** A turn in text; it sees to its calls as a session does. */
  async function newTurn(isRunning: boolean): Promise<string> {
    const { agentId, id: conversationId } = conversation
    const id = uuid()
    await database.stores.turns.insert({
      ...{ id, organizationId, version: 1, createdAt: now, updatedAt: now, agentId, conversationId },
      ...{ state: isRunning ? 'running' : 'completed', startedAt: now, endedAt: isRunning ? null : now },
      ...{ question: '', fileIds: [], additionalInstructions: null, answer: null, failure: null },
      ...{ questionMessageId: uuid(), answerMessageId: uuid(), instanceId: uuid() },
      ...{ idempotencyKey: null, stopRequestedAt: null },
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    })
    return id
  }

  const find = (id: string) => approvals.find(organizationId, id)
  const decide = ({ callId }: ApprovalRecord, decision: Decision, at = now) =>
    approvals.decide(organizationId, conversation.id, callId, decision, at)
  const twentyAtOnce = <Result>(run: (index: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: 20 }, (_, index) => run(index)))

  test('keeps every field as it was, one for a message', async () => {
    const decided = { state: 'approved', decidedBy: approve.decidedBy, decidedAt: now } as const
    const whole = await add({
      ...{ ...decided, reason: unusualText, arguments: unusualText, tool: unusualText },
      ...{ originId: uuid(), claimedBy: uuid(), finishedAt: later },
    })
    const bare = await add()
    expect(await find(whole.id)).toStrictEqual(whole)
    expect(await find(bare.id)).toStrictEqual(bare)
    expect(JSON.stringify((await find(bare.id))?.call)).toBe(JSON.stringify(bare.call))
    expect(await approvals.find(await newOrganization(database), bare.id)).toBeNull()
    await expect(add({ messageId: bare.messageId })).rejects.toThrow()
  })

  test('lists newest first by state, agent, conversation and call, within the organization', async () => {
    const first = await add()
    const second = await add({ state: 'rejected' })
    const home = conversation
    conversation = await newConversation()
    const third = await add({ callId: first.callId })
    const expected = [
      [{}, [third, second, first]],
      [{ state: 'waiting' }, [third, first]],
      [{ state: 'expired' }, []],
      [{ agentId: home.agentId }, [second, first]],
      [{ conversationId: conversation.id }, [third]],
      [{ conversationId: home.id, callId: first.callId }, [first]],
    ] as const
    for (const [filter, records] of expected)
      expect(await approvals.list(organizationId, filter, firstPage)).toEqual({
        items: records,
        totalCount: records.length,
      })
    const page = await approvals.list(organizationId, {}, { offset: 1, limit: 1 })
    expect(page).toEqual({ items: [second], totalCount: 3 })
    const elsewhere = await newOrganization(database)
    expect((await approvals.list(elsewhere, {}, firstPage)).totalCount).toBe(0)
    expect(idsOf(await approvals.findMany([third.id, uuid(), first.id])).sort()).toEqual([first.id, third.id])
    expect(await approvals.findMany([])).toEqual([])
  })

  describe('[APR-1] decisions', () => {
    test('are written down with who, when and why', async () => {
      const waiting = await add()
      const decided = { ...waiting, ...approve, decidedAt: now, updatedAt: now, version: 2 }
      expect(await decide(waiting, approve)).toStrictEqual(decided)
      expect(await find(waiting.id)).toStrictEqual(decided)
    })

    test('of 20 at once: one wins, and only it is written down', async () => {
      const waiting = await add()
      const answers = await twentyAtOnce((index) =>
        decide(waiting, { ...(index % 2 ? approve : reject), reason: `${index}` }),
      )
      const [winner, ...others] = answers.filter((answer) => answer !== null)
      expect(others).toEqual([])
      expect(winner).toMatchObject({ version: 2 })
      expect(await find(waiting.id)).toEqual(winner)
    })

    test('find nothing elsewhere, and leave everything else alone', async () => {
      const waiting = await add()
      const bystander = await add()
      const other = await newConversation()
      const { callId } = waiting
      for (const [organization, place, call] of [
        [organizationId, conversation.id, 'call_unknown'],
        [organizationId, other.id, callId],
        [await newOrganization(database), conversation.id, callId],
      ] as const)
        expect(await approvals.decide(organization, place, call, approve, now)).toBeNull()
      expect(await find(waiting.id)).toEqual(waiting)
      expect(await decide(waiting, reject)).toMatchObject({ id: waiting.id, ...reject })
      expect(await find(bystander.id)).toEqual(bystander)
    })

    test('of two calls with one id take the one that waits longest', async () => {
      const first = await add()
      const second = await add({ callId: first.callId })
      expect(await decide(first, approve)).toMatchObject({ id: first.id })
      expect(await find(second.id)).toEqual(second)
      expect(await decide(first, reject)).toMatchObject({ id: second.id, state: 'rejected' })
      expect(await decide(first, reject)).toBeNull()
    })

    test('count until the deadline and not at it', async () => {
      const [inTime, late] = [await add(), await add()]
      expect(await decide(inTime, approve, beforeDeadline)).toMatchObject({ state: 'approved' })
      expect(await decide(late, approve, deadline)).toBeNull()
      expect(await find(late.id)).toEqual(late)
      expect(await approvals.expireDue(beforeDeadline)).toBe(0)
      expect(await approvals.expireDue(deadline)).toBe(1)
      const expired = { ...late, state: 'expired', updatedAt: deadline, version: 2 }
      expect(await find(late.id)).toEqual(expired)
      expect(await approvals.expireDue(deadline)).toBe(0)
      expect(await decide(late, approve, now)).toBeNull()
      expect(await find(inTime.id)).toMatchObject({ state: 'approved', version: 2 })
    })

    test('against the deadline, at once: the row is one or the other', async () => {
      const waiting = await add()
      const outcomes = await twentyAtOnce(async (index) =>
        index % 2
          ? (await decide(waiting, approve, beforeDeadline)) !== null
          : (await approvals.expireDue(deadline)) === 1,
      )
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const { state } = (await find(waiting.id)) ?? {}
      expect(state).toBe(outcomes.findIndex(Boolean) % 2 ? 'approved' : 'expired')
    })

    test('come too late for what was withdrawn, and stay where they came before', async () => {
      const [withdrawn, decided] = [await add(), await add()]
      await decide(decided, approve)
      for (const { id } of [withdrawn, decided]) await approvals.withdraw(id, later)
      expect(await decide(withdrawn, approve, later)).toBeNull()
      expect(await find(withdrawn.id)).toMatchObject({ state: 'expired', finishedAt: null, updatedAt: later })
      expect(await find(decided.id)).toMatchObject({ state: 'approved', updatedAt: now })
    })
  })

  describe('[APR-1] claims', () => {
    test('of 20 at once: one wins', async () => {
      const approved = await add({ state: 'approved' })
      const instances = Array.from({ length: 20 }, () => uuid())
      const won = await Promise.all(instances.map((one) => approvals.claim(approved.id, one, null, now)))
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await find(approved.id)).toMatchObject({ claimedBy: instances[won.indexOf(true)], version: 2 })
    })

    test.each(['waiting', 'rejected', 'expired'] as const)('take nothing that is %s', async (state) => {
      const { id } = await add({ state })
      expect(await approvals.claim(id, uuid(), null, now)).toBe(false)
      expect(await find(id)).toMatchObject({ claimedBy: null, version: 1 })
    })

    test('take nothing that is finished', async () => {
      const { id } = await add({ state: 'approved' })
      await approvals.finish(id, now)
      expect(await approvals.claim(id, uuid(), null, later)).toBe(false)
      await approvals.finish(id, later)
      expect(await find(id)).toMatchObject({ claimedBy: null, finishedAt: now, updatedAt: now, version: 2 })
    })

    test.each([
      ['session', newSession],
      ['turn in text', newTurn],
    ] as const)('belong to the %s that runs, and to whoever comes when it has ended', async (_, begin) => {
      const [mine, other, over] = [await begin(true), await newSession(true), await begin(false)]
      const claim = ({ id }: ApprovalRecord, originId: string | null) =>
        approvals.claim(id, uuid(), originId, now)
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
    })
  })

  describe('[APR-3] a session that begins', () => {
    const adopt = (id: string) =>
      approvals.adopt({ id, agentId: conversation.agentId, conversationId: conversation.id }, later)

    test('takes what is not finished, oldest first, also of another session that runs', async () => {
      const [mine, other, over] = [await newSession(true), await newSession(true), await newSession(false)]
      const ofNobody = await add({ state: 'approved', claimedBy: uuid() })
      const ofOther = await add({ originId: other })
      const ofTurn = await add({ originId: await newTurn(true) })
      const ofEnded = await add({ originId: over, state: 'rejected' })
      const own = await add({ originId: mine })
      const finished = await add({ finishedAt: now })
      const elsewhere = await add({ conversationId: (await newConversation()).id })
      const adopted = await adopt(mine)
      expect(idsOf(adopted)).toEqual(idsOf([ofNobody, ofOther, ofTurn, ofEnded, own]))
      expect(adopted[3]).toEqual({ ...ofEnded, originId: mine, updatedAt: later, version: 2 })
      for (const untouched of [finished, elsewhere]) expect(await find(untouched.id)).toEqual(untouched)
      expect(idsOf(await adopt(mine))).toEqual(idsOf(adopted))
    })

    test('is the only one that may claim what it has taken', async () => {
      const [former, mine] = [await newSession(true), await newSession(true)]
      const { id } = await add({ state: 'approved', originId: former })
      await adopt(mine)
      expect(await approvals.claim(id, uuid(), former, now)).toBe(false)
      expect(await approvals.claim(id, uuid(), mine, now)).toBe(true)
    })

    test("leaves what a sub-agent waits for in a session that runs, and takes an ended one's", async () => {
      const [mine, other, over] = [await newSession(true), await newSession(true), await newSession(false)]
      const { agentId } = await newConversation()
      const inRunning = await add({ agentId, originId: other })
      const inTurn = await add({ agentId, originId: await newTurn(true) })
      const inEnded = await add({ agentId, originId: over })
      const inNone = await add({ agentId })
      expect(idsOf(await adopt(mine))).toEqual(idsOf([inEnded, inNone]))
      for (const left of [inRunning, inTurn]) expect(await find(left.id)).toEqual(left)
    })

    test('leaves calls that were answered already', async () => {
      const ids: string[] = []
      for (const [index, status] of [0, 1, 2, 3].entries()) {
        const message = makeMessage(conversation, { itemId: `item_${index}`, role: 'tool', status })
        await database.stores.conversations.addMessage(message)
        ids.push((await add({ messageId: message.id })).id)
      }
      expect(idsOf(await adopt(await newSession(true)))).toEqual([ids[0], ids[3]])
    })

    test('of 20 at once: each is told of every call, and one has them all', async () => {
      const ids = idsOf([await add(), await add(), await add()])
      const sessions = await twentyAtOnce(() => newSession(true))
      const taken = await Promise.all(sessions.map(adopt))
      for (const calls of taken) expect(idsOf(calls)).toEqual(ids)
      const owners = new Set((await approvals.findMany(ids)).map(({ originId }) => originId))
      expect(owners.size).toBe(1)
      expect(sessions).toContain([...owners][0])
    })
  })

  test('finds what was decided and nobody sees to, oldest first', async () => {
    const [running, over] = [await newSession(true), await newSession(false)]
    await add()
    const approved = await add({ state: 'approved' })
    const rejected = await add({ state: 'rejected', originId: over })
    const expired = await add({ state: 'expired', originId: uuid() })
    await add({ state: 'approved', originId: running })
    await add({ state: 'approved', originId: await newTurn(true) })
    await add({ state: 'approved', claimedBy: uuid() })
    await add({ state: 'rejected', finishedAt: now })
    expect(await approvals.unattended(50)).toEqual([approved, rejected, expired])
    expect(idsOf(await approvals.unattended(2))).toEqual(idsOf([approved, rejected]))
  })

  test('forgets a conversation: nothing waits or begins to run, and what was said is gone', async () => {
    const instanceId = uuid()
    const waiting = await add()
    const approved = await add({ state: 'approved', decidedBy: approve.decidedBy, reason: 'said' })
    const claimed = await add({ state: 'approved', claimedBy: instanceId })
    const over = await add({ state: 'rejected', finishedAt: now })
    const elsewhere = await add({ conversationId: (await newConversation()).id })
    await approvals.forgetConversation(conversation.id, later)
    const forgotten = { arguments: '{}', reason: null, updatedAt: later, version: 2 }
    expect(await find(waiting.id)).toEqual({
      ...{ ...waiting, ...forgotten, state: 'expired', finishedAt: later },
    })
    expect(await find(approved.id)).toEqual({ ...approved, ...forgotten, finishedAt: later })
    expect(await find(claimed.id)).toEqual({ ...claimed, ...forgotten })
    expect(await find(over.id)).toEqual({ ...over, ...forgotten })
    expect(await find(elsewhere.id)).toEqual(elsewhere)
    expect(await decide(waiting, approve)).toBeNull()
    expect(await approvals.claim(approved.id, instanceId, null, later)).toBe(false)
    expect(await approvals.unattended(50)).toEqual([])
  })
})
