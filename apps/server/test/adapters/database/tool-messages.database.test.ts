import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationRecord, MessageRecord } from '#server/ports/conversation-stores.js'
import type { Stores } from '#server/ports/database.js'
import type { ApprovalRecord } from '#server/ports/task-stores.js'
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

const now = '2030-01-02T03:04:30.000Z'
const later = '2030-01-02T03:04:40.000Z'
const leaseSeconds = 15
const unknownOutcome = 'The service stopped while the tool was running, so its outcome is unknown.'

describe.each(databaseKinds)('tool messages on the %s database [DB-1]', (kind) => {
  let database: StoreDatabase
  let stores: Stores
  let conversation: ConversationRecord
  let count = 0

  beforeAll(async () => {
    database = await openStoreDatabase(kind)
    stores = database.stores
  })

  beforeEach(async () => {
    const organizationId = await newOrganization(database)
    const agent = makeAgent(organizationId)
    await stores.agents.insert(agent)
    conversation = makeConversation(organizationId, agent.id)
    await stores.conversations.insert(conversation)
  })

  afterAll(() => database.close())

  async function add(fields: Partial<MessageRecord>): Promise<MessageRecord> {
    count += 1
    const message = makeMessage(conversation, {
      ...{ role: 'tool', itemId: `item_${count}`, content: '', executionTimeSeconds: null },
      ...fields,
    })
    await stores.conversations.addMessage(message)
    return message
  }

  const find = (id: string) => stores.conversations.findMessage(id)

  test('are found by id', async () => {
    const message = await add({ status: 0 })
    expect(await find(message.id)).toStrictEqual(message)
    expect(await find(uuid())).toBeNull()
  })

  describe('while the call runs', () => {
    test('accept an update and keep the other fields', async () => {
      const message = await add({ status: 3, failure: 'none yet' })
      await stores.conversations.updateToolMessage(message.id, { status: 0 }, now)
      expect(await find(message.id)).toEqual({ ...message, status: 0, updatedAt: now })
      const outcome = { status: 1, content: unusualText, failure: null, executionTimeSeconds: 1.25 } as const
      await stores.conversations.updateToolMessage(message.id, outcome, later)
      expect(await find(message.id)).toEqual({ ...message, ...outcome, updatedAt: later })
    })

    test.each([1, 2])('keep the first outcome: %i', async (status) => {
      const message = await add({ status })
      const bystander = await add({ status: 0 })
      for (const other of [0, 1, 2, 3] as const)
        await stores.conversations.updateToolMessage(message.id, { status: other, content: 'later' }, later)
      expect(await find(message.id)).toEqual(message)
      expect(await find(bystander.id)).toEqual(bystander)
    })

    test('accept one of 20 concurrent outcomes', async () => {
      const { id } = await add({ status: 0 })
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          stores.conversations.updateToolMessage(id, { status: 1, content: `${index}` }, now),
        ),
      )
      const first = await find(id)
      await stores.conversations.updateToolMessage(id, { status: 2, content: 'after all' }, later)
      expect(first?.status).toBe(1)
      expect(await find(id)).toEqual(first)
    })
  })

  describe('of an instance that has stopped [TOOL-14]', () => {
    async function newSession(instanceId: string): Promise<string> {
      const session = makeSession(conversation, { state: 'consumed', startedAt: now, instanceId })
      await stores.realtimeSessions.insert(session)
      return session.id
    }

    async function newInstance(isAlive: boolean): Promise<string> {
      const instanceId = uuid()
      if (isAlive) await stores.instanceLeases.renew(instanceId, leaseSeconds)
      return instanceId
    }

    async function addApproval(messageId: string, fields: Partial<ApprovalRecord>): Promise<ApprovalRecord> {
      const approval = makeApproval(conversation, { messageId, state: 'approved', ...fields })
      await stores.approvals.insert(approval)
      return approval
    }

    const findApproval = ({ organizationId, id }: ApprovalRecord) => stores.approvals.find(organizationId, id)

    test('fail if that instance ran them, and other messages do not', async () => {
      const [living, dead] = [await newInstance(true), await newInstance(false)]
      const originId = await newSession(dead)
      const ran = [await add({ originId, status: 0 }), await add({ originId, status: 0, role: 'subagent' })]
      const untouched = [
        await add({ originId, status: 1, content: 'done' }),
        await add({ originId, status: 3 }),
        await add({ originId, status: null, role: 'user', content: 'Hello' }),
        await add({ originId: await newSession(living), status: 0 }),
        await add({ originId: null, status: 0 }),
      ]
      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(1)
      const failed = { status: 2, content: unknownOutcome, failure: unknownOutcome }
      for (const message of ran)
        expect(await find(message.id)).toEqual({ ...message, ...failed, updatedAt: expect.any(String) })
      for (const message of untouched) expect(await find(message.id)).toEqual(message)
    })

    test('fail if their session has ended and no other instance runs them [RT-46]', async () => {
      const [living, dead] = [await newInstance(true), await newInstance(false)]
      const [over, alive] = [await newSession(dead), await newSession(living)]
      for (const id of [over, alive]) await stores.realtimeSessions.end(id, 'client_left', now)
      const ran = await add({ originId: over, status: 0 })
      const approved = await add({ originId: over, status: 0 })
      await addApproval(approved.id, { claimedBy: living })
      const running = await add({ originId: alive, status: 0 })
      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(0)
      expect(await find(ran.id)).toMatchObject({ status: 2, content: unknownOutcome })
      expect(await find(approved.id)).toEqual(approved)
      expect(await find(running.id)).toEqual(running)
    })

    test('fail if that instance had claimed them, and their approval is finished', async () => {
      const [living, dead] = [await newInstance(true), await newInstance(false)]
      const originId = await newSession(dead)
      const lost: [MessageRecord, ApprovalRecord][] = []
      for (const message of [
        await add({ originId, status: 0 }),
        await add({ originId: null, status: 0 }),
        await add({ originId: null, status: 3 }),
      ])
        lost.push([message, await addApproval(message.id, { claimedBy: dead })])
      const answered = await add({ originId: null, status: 1, content: 'done' })
      const closed = await addApproval(answered.id, { claimedBy: dead })
      const kept: [MessageRecord, ApprovalRecord][] = []
      for (const fields of [
        { claimedBy: living },
        { claimedBy: null },
        { claimedBy: dead, finishedAt: now },
      ]) {
        const message = await add({ originId: null, status: 3 })
        kept.push([message, await addApproval(message.id, fields)])
      }

      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(1)
      for (const [message, approval] of lost) {
        expect(await find(message.id)).toMatchObject({ status: 2, content: unknownOutcome })
        expect(await findApproval(approval)).toMatchObject({
          ...{ state: 'approved', finishedAt: expect.any(String), version: 2 },
        })
      }
      expect(await find(answered.id)).toEqual(answered)
      expect((await findApproval(closed))?.finishedAt).not.toBeNull()
      for (const [message, approval] of kept) {
        expect(await find(message.id)).toEqual(message)
        expect(await findApproval(approval)).toEqual(approval)
      }
      expect(await stores.instanceLeases.closeLost(leaseSeconds)).toBe(0)
    })
  })
})
