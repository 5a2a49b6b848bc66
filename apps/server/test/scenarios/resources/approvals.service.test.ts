import type { Approval, Message, Page, Problem } from '@parley/contract'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ApprovalRecord } from '#server/ports/task-stores.js'
import type { ApiClient, Credentials } from '../../support/api-client.js'
import { addWaitingApproval } from '../../support/approvals.js'
import { addOrganization } from '../../support/organizations.js'
import { type RunningService, startService } from '../../support/start-service.js'
import { makeTestClock } from '../../support/test-clock.js'

const list = '/api/v1/Approval'
const at = ({ conversationId }: { readonly conversationId: string }) =>
  `/api/v1/Conversation/${conversationId}/approval`

// The store is tested on both databases in test/adapters/database/approval-*. These tests cover the API.
describe('approvals', () => {
  const clock = makeTestClock()
  let running: RunningService
  let home: Credentials
  let client: ApiClient

  beforeAll(async () => {
    running = await startService({ clock })
  })

  beforeEach(async () => {
    home = await addOrganization(running)
    client = running.client.as(home)
  })

  afterAll(() => running.close())

  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000).toISOString()

  function add(fields: Partial<ApprovalRecord> = {}): Promise<ApprovalRecord> {
    const { stores } = running.service.database
    return addWaitingApproval(stores, home.organizationId, { deadline: inSeconds(300), ...fields })
  }

  const decide = <Body = Approval>(approval: ApprovalRecord, body: object, by = client) =>
    by.call<Body>('POST', at(approval), { body: { callId: approval.callId, ...body } })

  const wire = (record: ApprovalRecord): Approval => ({
    id: record.id,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    conversationId: record.conversationId,
    messageId: record.messageId,
    callId: record.callId,
    agentId: record.agentId,
    tool: record.tool,
    title: record.call.title,
    arguments: record.arguments,
    approvedBy: record.approvedBy,
    state: record.state,
    deadline: record.deadline,
    decidedBy: record.decidedBy,
    decidedAt: record.decidedAt,
    reason: record.reason,
    rehearsal: record.rehearsal,
  })

  async function listed(query: Readonly<Record<string, string>> = {}): Promise<Page<Approval>> {
    const answer = await client.call<Page<Approval>>('GET', `${list}?${new URLSearchParams(query)}`)
    expect(answer.status, answer.text).toBe(200)
    return answer.body
  }

  describe('the list', () => {
    test("shows what a person needs to decide, without the tool's request [APR-6]", async () => {
      const approval = await add()
      expect((await listed()).items).toEqual([wire(approval)])
    })

    test('accepts State, IsWaiting, AgentId, ConversationId, Order, Offset and Limit [APR-6]', async () => {
      const [first, second, third] = [await add(), await add(), await add()]
      await decide(second, { decision: 'reject' })
      const ids = async (query: Readonly<Record<string, string>>) =>
        (await listed(query)).items.map(({ id }) => id)
      expect(await ids({})).toEqual([third.id, second.id, first.id])
      expect(await ids({ State: 'waiting' })).toEqual([third.id, first.id])
      expect(await ids({ State: 'rejected' })).toEqual([second.id])
      expect(await ids({ IsWaiting: 'true' })).toEqual([third.id, first.id])
      expect(await ids({ IsWaiting: 'false' })).toEqual([second.id])
      expect(await ids({ IsWaiting: 'true', Order: 'oldest' })).toEqual([first.id, third.id])
      expect(await ids({ Order: 'oldest', Offset: '1' })).toEqual([second.id, third.id])
      expect(await ids({ AgentId: first.agentId })).toEqual([first.id])
      expect(await ids({ ConversationId: third.conversationId })).toEqual([third.id])
      expect(await listed({ Offset: '1', Limit: '1' })).toMatchObject({
        ...{ items: [{ id: second.id }], totalCount: 3, offset: 1, limit: 1 },
      })
    })

    test('never shows an approval as waiting after its deadline [APR-6]', async () => {
      const approval = await add({ deadline: inSeconds(10) })
      clock.advance(9_999)
      expect((await listed({ State: 'waiting' })).totalCount).toBe(1)
      clock.advance(1)
      expect((await listed({ State: 'waiting' })).totalCount).toBe(0)
      expect((await listed()).items).toMatchObject([{ id: approval.id, state: 'expired', decidedBy: null }])
    })
  })

  describe('a decision', () => {
    const decisions = [
      ['approve', 'approved', 'The amount was checked.'],
      ['reject', 'rejected', null],
    ] as const

    test.each(decisions)(
      'is returned and stored with its actor and reason: %s [APR-1] [APR-2]',
      async (decision, state, reason) => {
        const approval = await add()
        clock.advance(1000)
        const answer = await decide(approval, { decision, reason })
        expect(answer.status).toBe(200)
        const key = await running.service.database.stores.apiKeys.findByPrefix(home.apiKey.slice(4, 12))
        expect(answer.body).toEqual({
          ...wire(approval),
          ...{ state, reason, updatedAt: clock.now().toISOString(), decidedAt: clock.now().toISOString() },
          decidedBy: { type: 'api_key', id: key?.id, name: key?.name },
        })
        const { id, decidedBy } = answer.body
        expect((await listed()).items).toMatchObject([{ id, state, decidedBy, reason }])
      },
    )

    test('requires no reason [APR-1] [APR-2]', async () => {
      expect((await decide(await add(), { decision: 'approve' })).body.reason).toBeNull()
    })

    test('succeeds for the first of 20 concurrent ones, and the others receive its outcome [APR-1] [APR-2]', async () => {
      const approval = await add()
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          decide(approval, { decision: index % 2 ? 'approve' : 'reject' }),
        ),
      )
      const [winner, ...others] = answers.filter(({ status }) => status === 200)
      expect(others).toEqual([])
      expect((await listed()).items).toMatchObject([{ state: winner?.body.state }])
      const losers = answers.filter((answer) => answer !== winner)
      for (const { body } of losers)
        expect(body).toMatchObject({
          ...{
            status: 409,
            errorCode: 'Conflict',
            detail: expect.stringContaining(winner?.body.state ?? 'a state'),
          },
        })
      const audited = await client.call<Page<{ resourceId: string }>>(
        'GET',
        '/api/v1/AuditLog?ResourceType=Approval',
      )
      expect(audited.body.items.map(({ resourceId }) => resourceId)).toEqual([approval.id])
    })

    test('is too late at the deadline [APR-1] [APR-2]', async () => {
      const approval = await add({ deadline: inSeconds(10) })
      clock.advance(10_000)
      for (let attempt = 0; attempt < 2; attempt += 1) {
        const { body } = await decide<Problem>(approval, { decision: 'approve' })
        expect(body).toMatchObject({
          ...{ status: 409, errorCode: 'Conflict' },
          detail: expect.stringContaining('expired'),
        })
        await listed()
      }
    })

    test('returns 409 for an unknown call [APR-1] [APR-2]', async () => {
      const { body } = await decide<Problem>(await add(), { callId: 'call_unknown', decision: 'approve' })
      expect(body).toMatchObject({
        ...{ status: 409, errorCode: 'Conflict' },
        detail: expect.stringContaining('approval'),
      })
    })

    test('returns 404 for an unknown or foreign conversation [APR-1] [APR-2]', async () => {
      const approval = await add()
      const stranger = running.client.as(await addOrganization(running))
      for (const answer of [
        await decide<Problem>({ ...approval, conversationId: uuid() }, { decision: 'approve' }),
        await decide<Problem>(approval, { decision: 'approve' }, stranger),
      ])
        expect(answer.body).toMatchObject({ status: 404, errorCode: 'NotFound' })
      expect((await listed()).items).toEqual([wire(approval)])
    })

    test.each([
      ['callId', { callId: undefined, decision: 'approve' }],
      ['callId', { callId: ' ', decision: 'approve' }],
      ['callId', { callId: 'x'.repeat(201), decision: 'approve' }],
      ['decision', {}],
      ['decision', { decision: 'approved' }],
      ['reason', { decision: 'reject', reason: 'x'.repeat(2001) }],
      ['reason', { decision: 'reject', reason: 7 }],
      ['arguments', { decision: 'approve', arguments: '{}' }],
    ])('is rejected if %s is invalid: %j [APR-1] [APR-2]', async (path, body) => {
      const approval = await add()
      const answer = await decide<Problem>(approval, body)
      expect(answer.body).toMatchObject({ status: 400, errorCode: 'InvalidRequest', errors: [{ path }] })
      expect((await listed()).items).toEqual([wire(approval)])
    })
  })

  test('a deleted conversation has no waiting approvals and no stored arguments', async () => {
    const approval = await add({ arguments: '{"secret":"said"}' })
    const conversation = `/api/v1/Conversation/${approval.conversationId}`
    const messages = await client.call<Page<Message>>('GET', `${conversation}/message`)
    expect(messages.body.items).toMatchObject([{ id: approval.messageId, status: 3 }])
    expect((await client.call('DELETE', conversation)).status).toBe(204)
    expect((await decide(approval, { decision: 'approve' })).status).toBe(404)
    expect((await listed()).items).toMatchObject([{ id: approval.id, state: 'expired', arguments: '{}' }])
    // Writes of a call that runs during the deletion have no effect.
    const { conversations, approvals } = running.service.database.stores
    await conversations.updateToolMessage(approval.messageId, { status: 1, content: 'done' }, inSeconds(0))
    await approvals.finish(approval.id, inSeconds(0))
    expect(await conversations.findMessage(approval.messageId)).toBeNull()
  })
})
