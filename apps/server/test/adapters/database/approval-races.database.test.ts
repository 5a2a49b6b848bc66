import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRecord } from '#server/ports/conversation-stores.js'
import type { ApprovalRecord, ApprovalStore, Decision } from '#server/ports/task-stores.js'
import { databaseKinds } from '../../support/start-service.js'
import { makeAgent, makeApproval, makeConversation, makeSession } from '../../support/stores/records.js'
import {
  makeGate,
  newOrganization,
  openStoreDatabase,
  type StoreDatabase,
} from '../../support/stores/store-database.js'

const now = '2030-01-02T03:04:30.000Z'
const deadline = '2030-01-02T03:09:05.678Z'
const decidedBy = { type: 'client', id: 'session', name: null } as const

type Act = (approvals: ApprovalStore) => Promise<unknown>

describe.each(databaseKinds)(
  'two concurrent changes to an approval on the %s database [DB-1] [APR-1]',
  (kind) => {
    let database: StoreDatabase
    let conversation: ConversationRecord

    beforeAll(async () => {
      database = await openStoreDatabase(kind)
    })

    beforeEach(async () => {
      const organizationId = await newOrganization(database)
      const agent = makeAgent(organizationId)
      await database.stores.agents.insert(agent)
      conversation = makeConversation(organizationId, agent.id)
      await database.stores.conversations.insert(conversation)
    })

    afterAll(() => database.close())

    /** Starts the second change after the first was made and before it commits. */
    async function whileUncommitted(first: Act, second: Act): Promise<readonly [unknown, unknown]> {
      const isChanged = makeGate()
      const changing = database.transaction(async (inner) => {
        const outcome = await first(inner.approvals)
        isChanged.open()
        // Long enough in database turns for the second change to arrive and wait.
        for (let turn = 0; turn < 20; turn += 1) await inner.installation.find()
        return outcome
      })
      await isChanged.opened
      return Promise.all([changing, second(database.stores.approvals)])
    }

    async function add(fields: Partial<ApprovalRecord> = {}): Promise<ApprovalRecord> {
      const record = makeApproval(conversation, { deadline, ...fields })
      await database.stores.approvals.insert(record)
      return record
    }

    async function newSession(): Promise<string> {
      const session = makeSession(conversation, { state: 'consumed', startedAt: now })
      await database.stores.realtimeSessions.insert(session)
      return session.id
    }

    const find = ({ organizationId, id }: ApprovalRecord) =>
      database.stores.approvals.find(organizationId, id)
    const deciding =
      ({ organizationId, conversationId, callId }: ApprovalRecord, state: Decision['state']): Act =>
      (approvals) =>
        approvals.decide(
          organizationId,
          conversationId,
          callId,
          { state, decidedBy, reason: null },
          { type: 'client' },
          now,
        )
    const claiming =
      ({ id }: ApprovalRecord, instanceId: string, originId: string | null = null): Act =>
      (approvals) =>
        approvals.claim(id, instanceId, originId, now)
    const adopting =
      (id: string): Act =>
      (approvals) =>
        approvals.adopt({ id, agentId: conversation.agentId, conversationId: conversation.id }, now)
    const expiring: Act = (approvals) => approvals.expireDue(deadline)

    test('keeps the first decision', async () => {
      const approval = await add()
      const outcomes = await whileUncommitted(deciding(approval, 'rejected'), deciding(approval, 'approved'))
      expect(outcomes).toEqual([expect.objectContaining({ id: approval.id, state: 'rejected' }), null])
      expect(await find(approval)).toMatchObject({ state: 'rejected', version: 2 })
    })

    test('keeps a decision that came before the deadline', async () => {
      const approval = await add()
      const outcomes = await whileUncommitted(deciding(approval, 'approved'), expiring)
      expect(outcomes).toEqual([expect.objectContaining({ state: 'approved' }), 0])
      expect(await find(approval)).toMatchObject({ state: 'approved', version: 2 })
    })

    test('expires the approval if the deadline came before the decision', async () => {
      const approval = await add()
      expect(await whileUncommitted(expiring, deciding(approval, 'approved'))).toEqual([1, null])
      expect(await find(approval)).toMatchObject({ state: 'expired', decidedBy: null, version: 2 })
    })

    test('gives the call to the first claim', async () => {
      const approval = await add({ state: 'approved' })
      const [winner, loser] = [uuid(), uuid()]
      expect(await whileUncommitted(claiming(approval, winner), claiming(approval, loser))).toEqual([
        true,
        false,
      ])
      expect(await find(approval)).toMatchObject({ claimedBy: winner, version: 2 })
    })

    test('prefers a new session to the claim of an instance', async () => {
      const approval = await add({ state: 'approved' })
      const originId = await newSession()
      const [adopted, isClaimed] = await whileUncommitted(adopting(originId), claiming(approval, uuid()))
      expect(adopted).toMatchObject([{ id: approval.id }])
      expect(isClaimed).toBe(false)
      expect(await find(approval)).toMatchObject({ originId, claimedBy: null })
    })

    test('gives the call to the newest session', async () => {
      const approval = await add()
      const [first, second] = [await newSession(), await newSession()]
      const outcomes = await whileUncommitted(adopting(first), adopting(second))
      for (const adopted of outcomes) expect(adopted).toMatchObject([{ id: approval.id }])
      expect(await find(approval)).toMatchObject({ originId: second })
    })

    test('prefers a new session to the claim of the former session', async () => {
      const [former, newest] = [await newSession(), await newSession()]
      const approval = await add({ state: 'approved', originId: former })
      const [, isClaimed] = await whileUncommitted(adopting(newest), claiming(approval, uuid(), former))
      expect(isClaimed).toBe(false)
      expect(await find(approval)).toMatchObject({ originId: newest, claimedBy: null })
    })

    test('leaves the call to the session that has claimed it, even if a new session begins', async () => {
      const [former, newest, instanceId] = [await newSession(), await newSession(), uuid()]
      const approval = await add({ state: 'approved', originId: former })
      const claimed = claiming(approval, instanceId, former)
      const [isClaimed, adopted] = await whileUncommitted(claimed, adopting(newest))
      expect([isClaimed, adopted]).toMatchObject([true, [{ id: approval.id, claimedBy: instanceId }]])
      expect(await database.stores.approvals.claim(approval.id, uuid(), newest, now)).toBe(false)
    })

    test('expires the approval if the conversation is forgotten before the decision', async () => {
      const approval = await add()
      const forgetting: Act = (approvals) => approvals.forgetConversation(conversation.id, now)
      expect((await whileUncommitted(forgetting, deciding(approval, 'approved')))[1]).toBeNull()
      const other = await add()
      await whileUncommitted(deciding(other, 'approved'), forgetting)
      for (const [record, state] of [
        [approval, 'expired'],
        [other, 'approved'],
      ] as const)
        expect(await find(record)).toMatchObject({ state, finishedAt: now })
    })
  },
)
