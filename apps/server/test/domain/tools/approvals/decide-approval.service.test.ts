import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '#server/domain/caller-scope.js'
import { DomainError } from '#server/domain/domain-error.js'
import { makeApprovals } from '#server/domain/tools/approvals/approvals.js'
import { WaitingApprovals } from '#server/domain/tools/approvals/waiting-approvals.js'
import type { ApprovalRecord } from '#server/ports/task-stores.js'
import { addWaitingApproval } from '../../../support/approvals.js'
import { makeConversation, makeSession } from '../../../support/stores/records.js'
import {
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../../support/stores/store-database.js'
import { makeTestClock } from '../../../support/test-clock.js'
import { makeTestTimers } from '../../../support/test-timers.js'

const clock = makeTestClock(new Date('2030-01-02T03:04:30.000Z'))
const log = { debug() {}, info() {}, warn() {}, error() {} }
const deadline = '2030-01-02T03:09:05.678Z'

let database: StoreDatabase

beforeAll(async () => {
  database = await sharedStoreDatabase('postgres')
})

type Choice = { readonly decision: 'approve' | 'reject'; readonly reason: string | null }
type Way = (
  row: ApprovalRecord,
  choice: Choice,
) => Promise<{ readonly isDecided: boolean; readonly actor: object }>

const ways = {
  async HTTP({ organizationId, conversationId, callId }, choice) {
    const actor = { type: 'api_key', id: uuid(), name: 'A key' } as const
    const caller: Caller = {
      ...{ organizationId, actor, scopes: [], expiresAt: null },
      ...{ ipAddress: '192.0.2.7', requestId: 'request' },
    }
    const deciding = database.transaction((stores) =>
      makeApprovals({ clock }).decide({ stores, caller }, conversationId, { callId, ...choice }),
    )
    return { isDecided: await deciding.then(() => true, isConflict), actor }
  },
  async socket({ organizationId, conversationId, agentId, callId }, choice) {
    const conversation = { ...makeConversation(organizationId, agentId), id: conversationId }
    const session = makeSession(conversation, { state: 'consumed' })
    const timers = makeTestTimers()
    const waiting = new WaitingApprovals({ database, clock, timers, log, instanceId: uuid() })
    const { ok } = await waiting.decideAsClient(session, { callId, ...choice })
    return { isDecided: ok, actor: { type: 'session', id: session.id, name: null } }
  },
} satisfies Record<string, Way>

/** Expects the error for a call that no longer waits. Rethrows any other error. */
function isConflict(error: unknown): false {
  if (error instanceof DomainError && error.code === 'Conflict') return false
  throw error
}

const approve: Choice = { decision: 'approve', reason: null }
const reject: Choice = { decision: 'reject', reason: 'Too much.' }

/** Makes this decision. Returns what the database has stored, and the actor. */
async function decide(way: Way, choice: Choice) {
  const waiting = await addWaitingApproval(database.stores, await newOrganization(database), { deadline })
  const { isDecided, actor } = await way(waiting, choice)
  return { waiting, isDecided, actor, ...(await writtenOf(waiting)) }
}

async function writtenOf({ organizationId, id }: ApprovalRecord) {
  const row = await database.stores.approvals.find(organizationId, id)
  const { items } = await database.stores.audit.list(organizationId, {}, { offset: 0, limit: 10 })
  return { row, records: items }
}

describe.each(Object.entries(ways))('a decision over %s [APR-2, AUD-1]', (name, way: Way) => {
  const deciderType = name === 'HTTP' ? 'api_key' : 'client'

  test.each([
    [approve, 'approved'],
    [reject, 'rejected'],
  ] as const)('stores one row and one audit record for %o', async (choice, state) => {
    const { waiting, isDecided, actor, row, records } = await decide(way, choice)
    expect(isDecided).toBe(true)
    const at = clock.now().toISOString()
    expect(row).toEqual({
      ...waiting,
      ...{ state, reason: choice.reason, decidedBy: { ...actor, type: deciderType } },
      ...{ decidedAt: at, updatedAt: at, version: waiting.version + 1 },
    })
    expect(records).toMatchObject([
      {
        ...{ actor, at, action: `approval.${choice.decision}`, outcome: 'success' },
        ...{ resourceType: 'Approval', resourceId: waiting.id },
        details: { conversationId: waiting.conversationId, callId: waiting.callId, tool: waiting.tool },
      },
    ])
  })

  test.each(Object.entries(ways))(
    'is final, and a later decision over %s stores nothing',
    async (_, other: Way) => {
      const { waiting, row, records } = await decide(way, approve)
      expect((await other(waiting, reject)).isDecided).toBe(false)
      expect(await writtenOf(waiting)).toEqual({ row, records })
    },
  )

  test('has no effect after the deadline', async () => {
    const waiting = await addWaitingApproval(database.stores, await newOrganization(database), {
      deadline: clock.now().toISOString(),
    })
    expect((await way(waiting, approve)).isDecided).toBe(false)
    expect(await writtenOf(waiting)).toEqual({ row: waiting, records: [] })
  })
})
