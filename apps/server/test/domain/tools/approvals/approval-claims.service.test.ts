import { v7 as uuid } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { ApprovalClaims } from '#server/domain/tools/approvals/waiting-approvals.js'
import type { ApprovalStore } from '#server/ports/task-stores.js'
import { makeAgent, makeApproval, makeConversation, makeSession } from '../../../support/stores/records.js'
import {
  makeGate,
  newOrganization,
  type StoreDatabase,
  sharedStoreDatabase,
} from '../../../support/stores/store-database.js'

const now = '2030-01-02T03:04:30.000Z'

let database: StoreDatabase

beforeAll(async () => {
  database = await sharedStoreDatabase('postgres')
})

/** An approved call of a running session, and another session that knows it. */
async function addCall() {
  const organizationId = await newOrganization(database)
  const agent = makeAgent(organizationId)
  const conversation = makeConversation(organizationId, agent.id)
  await database.stores.agents.insert(agent)
  await database.stores.conversations.insert(conversation)
  const [former, newest] = ['former', 'newest'].map(() =>
    makeSession(conversation, { state: 'consumed', startedAt: now }),
  ) as [ReturnType<typeof makeSession>, ReturnType<typeof makeSession>]
  for (const session of [former, newest]) await database.stores.realtimeSessions.insert(session)
  const approval = makeApproval(conversation, { state: 'approved', originId: newest.id })
  await database.stores.approvals.insert(approval)
  return { id: approval.id, former: former.id, newest: newest.id }
}

/** Returns the claims of an instance. `answer` replaces the response of its database to a claim. */
function claimsWith(answer: (claim: ReturnType<ApprovalStore['claim']>) => Promise<boolean>): ApprovalClaims {
  const { approvals } = database.stores
  const claim: ApprovalStore['claim'] = (...given) => answer(approvals.claim(...given))
  return new ApprovalClaims({
    database: { ...database, stores: { ...database.stores, approvals: { ...approvals, claim } } },
    clock: { now: () => new Date(now) },
    instanceId: uuid(),
  })
}

const lose = async (claim: Promise<boolean>): Promise<boolean> => {
  await claim
  throw new Error('the answer was lost')
}

describe('ApprovalClaims within one process [APR-1]', () => {
  test('gives the call to its owner once', async () => {
    const { id, former, newest } = await addCall()
    const claims = claimsWith((claim) => claim)
    const attempts = await Promise.all([former, newest, newest].map((one) => claims.attempt(id, one)))
    expect(attempts.map(({ ok }) => ok)).toEqual([false, true, false])
  })

  test('lets one caller repeat a claim whose response was lost', async () => {
    const { id, former, newest } = await addCall()
    let isLosing = true
    const claims = claimsWith((claim) => (isLosing ? lose(claim) : claim))
    const lost = await Promise.allSettled([newest, former].map((one) => claims.attempt(id, one)))
    expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isLosing = false
    const attempts = await Promise.all([former, newest, former].map((one) => claims.attempt(id, one)))
    expect(attempts.map(({ ok }) => ok)).toEqual([true, false, false])
  })

  test('does not treat a claim as lost while its response is still on its way', async () => {
    const { id, former, newest } = await addCall()
    const [isWritten, mayContinue] = [makeGate(), makeGate()]
    const claims = claimsWith(async (claim) => {
      const ok = await claim
      isWritten.open()
      await mayContinue.opened
      return ok
    })
    const first = claims.attempt(id, newest)
    await isWritten.opened
    const second = claims.attempt(id, former)
    mayContinue.open()
    expect([await first, await second]).toMatchObject([{ ok: true }, { ok: false }])
  })

  test('does not take the claim of another instance', async () => {
    const { id, newest } = await addCall()
    await claimsWith((claim) => claim).attempt(id, newest)
    expect(await claimsWith((claim) => claim).attempt(id, newest)).toMatchObject({
      ok: false,
      row: { id, finishedAt: null },
    })
  })
})

test('knows a call from the first attempt until its release', async () => {
  const { id, newest } = await addCall()
  const claims = claimsWith((claim) => claim)
  expect(claims.has(id)).toBe(false)
  const attempt = claims.attempt(id, newest)
  expect(claims.has(id)).toBe(true)
  await attempt
  expect(claims.has(id)).toBe(true)
  await database.stores.approvals.finish(id, now)
  claims.release(id)
  expect(claims.has(id)).toBe(false)
})
